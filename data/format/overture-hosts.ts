/** Addresses of Overture Maps' releases. @see https://docs.overturemaps.org/getting-data/ @module */

export const OVERTURE_CATALOG = "https://stac.overturemaps.org/catalog.json";

/** Origins of the files in its catalogue. */
const FILE_HOSTS = [
  "https://overturemaps-us-west-2.s3.us-west-2.amazonaws.com",
  "https://overturemapswestus2.blob.core.windows.net",
];

/**
 * Returns the origins (`https://host`) of the files of a release, given the URL of its catalogue: the catalogue's own
 * origin first, then the other hosts of Overture. A mirror has only its own.
 */
export function releaseHosts(catalog: string): readonly string[] {
  const origin = /^https?:\/\/[^/?#]+/i.exec(catalog)?.[0] ?? "";
  return catalog === OVERTURE_CATALOG ? [origin, ...FILE_HOSTS] : [origin];
}

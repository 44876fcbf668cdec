/** How files are sent: media types and cache lifetimes. @module */

export const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";
export const REVALIDATE = "no-cache";

/** Media types by extension that hosts do not know, or that must be exact. */
export const MEDIA_TYPES = {
  ".parquet": "application/vnd.apache.parquet",
  // a type that nothing compresses in transit: hosts send wrong ranges of compressed files
  ".pack": "application/octet-stream",
  ".geojson": "application/geo+json",
  ".webmanifest": "application/manifest+json",
} as const;

/** Returns the media type of the path's extension; undefined for extensions that hosts know. */
export function mediaTypeOf(path: string): string | undefined {
  return Object.entries(MEDIA_TYPES).find(([ending]) => path.endsWith(ending))?.[1];
}

/** Returns whether the name of a dataset file contains the start of its SHA-256. */
export function isNamedByHash(path: string): boolean {
  return /\/[0-9a-f]{16}\.(parquet|pack)$/.test(path);
}

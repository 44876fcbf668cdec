/** Limits of common static hosts, by their documentation of 2026. @module */

interface HostLimits {
  readonly host: string;
  readonly maxFileBytes?: number;
  readonly maxFiles?: number;
  readonly maxSiteBytes?: number;
}

const MIB = 1024 ** 2;

export const HOST_LIMITS: readonly HostLimits[] = [
  { host: "Cloudflare Pages (free)", maxFileBytes: 25 * MIB, maxFiles: 20_000 },
  { host: "Cloudflare Pages (paid)", maxFileBytes: 25 * MIB, maxFiles: 100_000 },
  { host: "GitHub Pages", maxFileBytes: 100 * MIB, maxSiteBytes: 1024 * MIB },
];

export interface SiteFile {
  /** Path below the folder of the site. */
  readonly path: string;
  readonly bytes: number;
}

/** Returns a line for each limit that the site exceeds. */
export function limitFaults(files: readonly SiteFile[]): string[] {
  const siteBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return HOST_LIMITS.flatMap(({ host, maxFileBytes = Infinity, maxFiles = Infinity, maxSiteBytes = Infinity }) => {
    const tooLarge = files.filter(({ bytes }) => bytes > maxFileBytes).sort((a, b) => b.bytes - a.bytes);
    const [largest] = tooLarge;
    return [
      ...(largest
        ? [
            `${host} takes files of ${mebibytes(maxFileBytes)}: ${tooLarge.length} larger, ${largest.path} ${mebibytes(largest.bytes)}`,
          ]
        : []),
      ...(files.length > maxFiles ? [`${host} takes ${maxFiles} files: the site has ${files.length}`] : []),
      ...(siteBytes > maxSiteBytes
        ? [`${host} takes sites of ${mebibytes(maxSiteBytes)}: this one has ${mebibytes(siteBytes)}`]
        : []),
    ];
  });
}

function mebibytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}

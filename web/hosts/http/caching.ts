/** How files are sent: their media types, and how long they may be kept. @module */

export const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";
export const REVALIDATE = "no-cache";

/** Media types by ending that hosts do not know, or that must be these. */
export const MEDIA_TYPES = {
  ".parquet": "application/vnd.apache.parquet",
  // no type that anybody compresses on the way: of what is compressed hosts give wrong ranges
  ".pack": "application/octet-stream",
  ".geojson": "application/geo+json",
  ".webmanifest": "application/manifest+json",
} as const;

/** The media type of a path that hosts do not know by themselves. */
export function mediaTypeOf(path: string): string | undefined {
  return Object.entries(MEDIA_TYPES).find(([ending]) => path.endsWith(ending))?.[1];
}

/** Whether a path of a dataset has the head of its SHA-256 in its name. */
export function isNamedByHash(path: string): boolean {
  return /\/[0-9a-f]{16}\.(parquet|pack)$/.test(path);
}

/** How files are sent: their media types and how long caches keep them. @module */

export const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";
export const REVALIDATE = "no-cache";

/** Media types by extension, for extensions that hosts do not know or whose type must be exact. */
export const MEDIA_TYPES = {
  ".parquet": "application/vnd.apache.parquet",
  // a type that nothing compresses in transit: hosts send wrong ranges of compressed files
  ".pack": "application/octet-stream",
  ".geojson": "application/geo+json",
  ".webmanifest": "application/manifest+json",
} as const;

/** Returns the media type of the path's extension; undefined if `MEDIA_TYPES` has none for it. */
export function mediaTypeOf(path: string): string | undefined {
  return Object.entries(MEDIA_TYPES).find(([ending]) => path.endsWith(ending))?.[1];
}

/** Returns whether the file name of a dataset's file is the start of its SHA-256, so that the file never changes. */
export function isNamedByHash(path: string): boolean {
  return /\/[0-9a-f]{16}\.(parquet|pack)$/.test(path);
}

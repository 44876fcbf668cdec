/**
 * Files are checked by their SHA-256, which browsers compute for secure pages alone.
 * @module
 */

/** Throws where there is no `crypto.subtle`, and says what to do. */
export function requireDigest(): void {
  if (globalThis.crypto?.subtle) return;
  const page = globalThis.location?.origin ?? "this program";
  throw new Error(
    `crypto.subtle is missing, and files cannot be checked without it: browsers have it for https: and localhost alone, not for ${page}; serve the page by https:`,
  );
}

/**
 * Files are checked by their SHA-256, which browsers compute only on secure pages.
 * @module
 */

/** Throws without `crypto.subtle`; the message explains the fix. */
export function requireDigest(): void {
  if (globalThis.crypto?.subtle) return;
  const page = globalThis.location?.origin ?? "this program";
  throw new Error(
    `crypto.subtle is missing, and files cannot be checked without it: browsers provide it only for https: and localhost, not for ${page}; serve the page by https:`,
  );
}

/** Requires SHA-256 by `crypto.subtle`, by which files are checked. Browsers have it only on secure pages. @module */

/** Throws if `crypto.subtle` is missing. The message says how to fix it. */
export function requireDigest(): void {
  if (globalThis.crypto?.subtle) return;
  const page = globalThis.location?.origin ?? "this program";
  throw new Error(
    `crypto.subtle is missing, and files cannot be checked without it: browsers provide it only for https: and localhost, not for ${page}; serve the page by https:`,
  );
}

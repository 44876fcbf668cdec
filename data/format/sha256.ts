import { hexOf } from "./bytes.ts";

/** The members used here. The types of browsers and Node differ. */
declare const crypto: {
  readonly subtle: { digest(algorithm: "SHA-256", bytes: Uint8Array): Promise<ArrayBuffer> };
};

const known = new WeakMap<Uint8Array, Promise<string>>();

/**
 * Returns the SHA-256 of the bytes in hexadecimal. The result is cached for this array, so do not change its bytes
 * afterwards.
 */
export function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = known.get(bytes) ?? digest(bytes);
  known.set(bytes, hash);
  return hash;
}

async function digest(bytes: Uint8Array): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

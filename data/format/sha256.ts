import { hexOf } from "./bytes.ts";

/** As much of it as is needed here: browsers and Node type it each in their own way. */
declare const crypto: {
  readonly subtle: { digest(algorithm: "SHA-256", bytes: Uint8Array): Promise<ArrayBuffer> };
};

const known = new WeakMap<Uint8Array, Promise<string>>();

/** SHA-256 in hexadecimal, worked out once for the same bytes: who hands them on need not have them hashed again. They must not change. */
export function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = known.get(bytes) ?? digest(bytes);
  known.set(bytes, hash);
  return hash;
}

async function digest(bytes: Uint8Array): Promise<string> {
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

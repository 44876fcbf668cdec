/** API keys of the Node host. Its file has the SHA-256 of one key per line, in hexadecimal; `#` starts a comment. @module */
import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IsKnownKey } from "../../api/index.ts";

/** Returns the hashes in the file. Throws when a line is no hash, or when there is none. */
export async function readKeyHashes(path: string): Promise<Buffer[]> {
  const lines = (await readFile(path, "utf8")).split("\n").map((line) => line.replace(/#.*/, "").trim());
  const hashes = lines.flatMap((line, index) => {
    if (line === "") return [];
    if (!/^[0-9a-f]{64}$/i.test(line)) throw new Error(`${path} line ${index + 1} is not a SHA-256 in hexadecimal`);
    return [Buffer.from(line, "hex")];
  });
  if (hashes.length === 0) throw new Error(`${path} holds no SHA-256 of a key`);
  return hashes;
}

/** Returns a test whether a key is known. It compares with every hash, so that the time taken reveals nothing. */
export function knownKeys(hashes: readonly Buffer[]): IsKnownKey {
  return (key) => {
    const hash = createHash("sha256").update(key).digest();
    let isKnown = false;
    for (const known of hashes) isKnown = timingSafeEqual(known, hash) || isKnown;
    return isKnown;
  };
}

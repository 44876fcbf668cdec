/**
 * Reads and writes the file of a manifest, which contains its own SHA-256.
 * @module
 */

import { requireSums } from "./index-sums.ts";
import { writeJson } from "./json.ts";
import type { Manifest } from "./manifest.ts";
import { parseManifest } from "./manifest-schema.ts";
import { messageOf } from "./message-of.ts";
import { sha256Of } from "./sha256.ts";
import { fromUtf8, toUtf8 } from "./utf8.ts";

/** Takes the place of the hash while the file is hashed. */
const NO_HASH = "0".repeat(64);

/**
 * Returns the manifest of a file with these bytes. Throws if its members, its sums or its hash are wrong. The message
 * starts with `name` if it is given.
 */
export async function readManifestFile(bytes: Uint8Array, name?: string): Promise<Manifest> {
  try {
    const text = fromUtf8(bytes);
    const manifest = requireSums(parseManifest(JSON.parse(text)));
    const { sha256 } = manifest;
    const found = await hashOf(text.replace(sha256, NO_HASH));
    if (found !== sha256) throw new Error(`its content has SHA-256 ${found}, expected ${sha256}`);
    return manifest;
  } catch (cause) {
    const reason = messageOf(cause);
    throw new Error(name === undefined ? reason : `${name}: ${reason}`, { cause });
  }
}

/**
 * Returns the bytes of the file of a manifest, with its hash. The same members give the same bytes. Throws if a member
 * is invalid. Does not check the sums.
 */
export async function writeManifestFile(manifest: Omit<Manifest, "sha256">): Promise<Uint8Array> {
  const text = `${writeJson(parseManifest({ ...manifest, sha256: NO_HASH }))}\n`;
  return toUtf8(text.replace(NO_HASH, await hashOf(text)));
}

function hashOf(text: string): Promise<string> {
  return sha256Of(toUtf8(text));
}

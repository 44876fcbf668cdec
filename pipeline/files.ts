/**
 * Files below a folder, and what is in them.
 * @module
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";

const MOST_CHUNK_BYTES = 1 << 20;

/** Paths of all files below a folder, with `/`, in order; names that start with a dot are skipped. */
export async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (at: string): Promise<void> => {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      if (entry.name.startsWith(".")) continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) await walk(path);
      else found.push(relative(folder, path).replaceAll(sep, "/"));
    }
  };
  await walk(folder);
  return found.sort();
}

/** SHA-256 of a file's content, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  const { size } = await stat(path);
  // small files are many: room for a large one each is a tenth of the work
  await pipeline(createReadStream(path, { highWaterMark: Math.min(Math.max(size, 1), MOST_CHUNK_BYTES) }), hash);
  return hash.digest("hex");
}

/** Reads a dataset in a folder, in Node. @module */
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadBytes } from "./types.ts";

/**
 * Returns a reader of the files in a dataset's folder, for `open` and `openTable`. It rejects with Node's error if a file cannot
 * be read.
 */
export function folder(path: string): ReadBytes {
  return async (name, offset, length) => {
    if (offset === undefined || length === undefined) return readFile(join(path, name));
    const file = await open(join(path, name));
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  };
}

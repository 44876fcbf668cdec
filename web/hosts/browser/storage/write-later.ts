/**
 * Delays writes until nothing else is to do: passing a slice to Cache Storage blocks a thread longer than searching it. @module
 */

import { KEEP_AFTER_MS } from "../cache/index.ts";
import type { FileCache } from "./cache-files.ts";

/**
 * Returns the cache with delayed writes. Reads find files that wait to be written. Do not transfer or change bytes after `write`.
 */
export function writeLater(files: FileCache, afterMs = KEEP_AFTER_MS): FileCache {
  const waiting = new Map<string, Uint8Array>();
  return {
    async read(name, part) {
      const bytes = waiting.get(name);
      if (bytes) return { bytes: bytes.slice(part?.start, part?.end), sizeBytes: bytes.byteLength };
      return files.read(name, part);
    },
    async write(name, bytes) {
      waiting.set(name, bytes);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      const isWanted = () => waiting.get(name) === bytes;
      if (!isWanted()) return;
      try {
        await files.write(name, bytes);
      } finally {
        if (isWanted()) waiting.delete(name);
      }
    },
    async remove(name) {
      waiting.delete(name);
      await files.remove(name);
    },
    async names() {
      return [...new Set([...(await files.names()), ...waiting.keys()])];
    },
  };
}

/**
 * Files that are kept when nobody waits: to hand a partition to Cache Storage holds a thread up for longer than to search it.
 * @module
 */

import { KEEP_AFTER_MS } from "../cache/index.ts";
import type { FileCache } from "./cache-files.ts";

/**
 * The cache, whose writes begin later; until they have ended, it reads what waits as if it were written. What is to be written
 * must not be handed on.
 */
export function writeLater(files: FileCache, afterMs = KEEP_AFTER_MS): FileCache {
  const waiting = new Map<string, Uint8Array>();
  return {
    has: async (path) => waiting.has(path) || files.has(path),
    read: async (path) => waiting.get(path)?.slice() ?? files.read(path),
    async write(path, bytes) {
      waiting.set(path, bytes);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      const isWanted = () => waiting.get(path) === bytes;
      if (!isWanted()) return;
      try {
        await files.write(path, bytes);
      } finally {
        if (isWanted()) waiting.delete(path);
      }
    },
    async remove(path) {
      waiting.delete(path);
      await files.remove(path);
    },
    async paths() {
      return [...new Set([...(await files.paths()), ...waiting.keys()])];
    },
  };
}

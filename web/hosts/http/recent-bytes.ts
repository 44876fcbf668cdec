/** Files in memory up to a size. The least recently used are removed first. @module */

export type RecentBytes = ReturnType<typeof createRecentBytes>;

/** Creates an empty cache of at most `maxBytes`. Does not store a larger file. */
export function createRecentBytes(maxBytes: number) {
  const files = new Map<string, Uint8Array>();
  let sizeBytes = 0;
  const remove = (path: string) => {
    sizeBytes -= files.get(path)?.byteLength ?? 0;
    files.delete(path);
  };
  return {
    get(path: string): Uint8Array | undefined {
      const bytes = files.get(path);
      if (!bytes) return undefined;
      files.delete(path);
      files.set(path, bytes);
      return bytes;
    },
    set(path: string, bytes: Uint8Array): void {
      remove(path);
      if (bytes.byteLength > maxBytes) return;
      files.set(path, bytes);
      sizeBytes += bytes.byteLength;
      for (const oldest of files.keys()) {
        if (sizeBytes <= maxBytes) break;
        remove(oldest);
      }
    },
    delete: remove,
    get sizeBytes() {
      return sizeBytes;
    },
  };
}

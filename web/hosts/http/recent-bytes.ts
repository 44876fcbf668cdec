/** Files in memory up to a total size. The least recently used ones are dropped first. @module */

export type RecentBytes = ReturnType<typeof createRecentBytes>;

/** Returns an empty store of at most `maxBytes` in total. It does not store a file that is larger. */
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

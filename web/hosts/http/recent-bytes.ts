/** Files in memory up to a size, the least recently used leave first. @module */

export interface RecentBytes {
  get(path: string): Uint8Array | undefined;
  set(path: string, bytes: Uint8Array): void;
  delete(path: string): void;
  readonly sizeBytes: number;
}

export function createRecentBytes(maxBytes: number): RecentBytes {
  const files = new Map<string, Uint8Array>();
  let sizeBytes = 0;
  const remove = (path: string) => {
    sizeBytes -= files.get(path)?.byteLength ?? 0;
    files.delete(path);
  };
  return {
    get(path) {
      const bytes = files.get(path);
      if (!bytes) return undefined;
      files.delete(path);
      files.set(path, bytes);
      return bytes;
    },
    set(path, bytes) {
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

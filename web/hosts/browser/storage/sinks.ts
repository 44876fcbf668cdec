export interface Sink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<Blob | undefined>;
  abort(): Promise<void>;
}

const BLOB_PART_BYTES = 4 * 1024 * 1024;

/** Returns a sink that writes a temporary copy of the file. The file gets the new content when the sink is closed. */
export async function fileSink(file: FileSystemFileHandle): Promise<Sink> {
  const stream = await file.createWritable();
  return {
    write: (bytes) => stream.write(bytes),
    async close() {
      await stream.close();
      return undefined;
    },
    abort: () => stream.abort(),
  };
}

/** Returns a sink that collects a blob. Bytes are not copied: do not change them after `write`. */
export function blobSink(type: string): Sink {
  let parts: Blob[] = [];
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let pendingBytes = 0;
  const settle = () => {
    parts.push(new Blob(pending));
    pending = [];
    pendingBytes = 0;
  };
  return {
    async write(bytes) {
      pending.push(bytes);
      pendingBytes += bytes.byteLength;
      if (pendingBytes >= BLOB_PART_BYTES) settle();
    },
    async close() {
      settle();
      return new Blob(parts, { type });
    },
    async abort() {
      parts = [];
      pending = [];
    },
  };
}

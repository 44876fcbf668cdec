import { open } from "node:fs/promises";
import { join } from "node:path";
import { type ByteRange, type ByteSource, FetchError } from "../../engine/index.ts";

/** Cost of reading a local file, as bytes transferred in the same time: much less than a request. */
const READ_BYTES = 1024;

/**
 * Returns a source that reads files below the folder, whole or in ranges. Rejects with `FetchError`, with status 404 for a
 * missing file. Messages contain `name` instead of the folder.
 */
export function folderSource(folder: string, name = folder): ByteSource {
  return {
    name,
    requestBytes: () => READ_BYTES,
    async read(path, { range, signal, bytes, maxBytes = bytes } = {}) {
      signal?.throwIfAborted();
      try {
        return await readFrom(join(folder, path), range ?? { start: 0, end: atMost(maxBytes) });
      } catch (error) {
        signal?.throwIfAborted();
        const code = (error as NodeJS.ErrnoException).code ?? "unknown";
        const status = code === "ENOENT" || code === "ENOTDIR" ? { status: 404 } : {};
        throw new FetchError(`${path} cannot be read from ${name}: ${code}`, { path, ...status, cause: error });
      }
    },
  };
}

/** Returns one byte more than the limit, to detect a file that is longer. */
function atMost(maxBytes = Number.POSITIVE_INFINITY): number {
  return maxBytes + 1;
}

async function readFrom(path: string, { start, end }: ByteRange): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const content = new Uint8Array(Math.max(0, Math.min(size, end) - start));
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(content, length, content.length - length, start + length);
      length += bytesRead;
      if (bytesRead === 0 || length === content.length) return content.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}

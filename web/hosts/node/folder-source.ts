import { open } from "node:fs/promises";
import { join } from "node:path";
import { type ByteRange, type ByteSource, FetchError } from "../../engine/index.ts";

/** A read of a local file costs as much as so many bytes: much less than a request. */
const READ_BYTES = 1024;

/**
 * Returns a source that reads the files below the folder, whole or in ranges. For a missing file it throws `FetchError`
 * with status 404. Errors contain `name`.
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

/** One byte more than the limit, to detect a longer file. */
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

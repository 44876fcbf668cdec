/**
 * A dataset in a folder of this machine.
 * @module
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type ByteSource, FetchError } from "../../engine/index.ts";

/** The files below the folder. A file that does not exist is a `FetchError` of status 404. `name` is what errors call it. */
export function folderSource(folder: string, name = folder): ByteSource {
  return {
    name,
    async read(path, { signal, bytes, maxBytes = bytes } = {}) {
      signal?.throwIfAborted();
      try {
        return await readAtMost(join(folder, path), maxBytes);
      } catch (error) {
        signal?.throwIfAborted();
        const code = (error as NodeJS.ErrnoException).code ?? "unknown";
        const status = code === "ENOENT" || code === "ENOTDIR" ? { status: 404 } : {};
        throw new FetchError(`${path} cannot be read from ${name}: ${code}`, { path, ...status, cause: error });
      }
    },
  };
}

/** The file; of one that is longer, a byte more than it may have. */
async function readAtMost(path: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const content = new Uint8Array(Math.min(size, maxBytes + 1));
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(content, length, content.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === content.length) return content.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}

/**
 * A dataset in a folder of this machine.
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FetchError } from "../../engine/errors.ts";
import type { ByteSource } from "../../engine/ports.ts";

/** The files below the folder. A file that does not exist is a `FetchError` of status 404. `name` is what errors call it. */
export function folderSource(folder: string, name = folder): ByteSource {
  return {
    name,
    async read(path, { signal } = {}) {
      try {
        return await readFile(join(folder, path), { signal: signal ?? undefined });
      } catch (error) {
        signal?.throwIfAborted();
        const code = (error as NodeJS.ErrnoException).code ?? "unknown";
        const status = code === "ENOENT" || code === "ENOTDIR" ? { status: 404 } : {};
        throw new FetchError(`${path} cannot be read from ${name}: ${code}`, { path, ...status, cause: error });
      }
    },
  };
}

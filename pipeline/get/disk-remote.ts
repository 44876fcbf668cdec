import { open, readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { MissingFileError, type Remote, type RemoteFile } from "../../data/release/index.ts";

/** Files of a mirror on a disk, by `file:` addresses. */
export function diskRemote(): Remote {
  return {
    readJson: async (address) => {
      const path = fileURLToPath(address);
      const text = await readFile(path, "utf8").catch((cause) => {
        throw missing(path, cause);
      });
      try {
        return JSON.parse(text) as unknown;
      } catch (cause) {
        throw new Error(`${path}: not JSON`, { cause });
      }
    },
    open: async (address) => {
      const path = fileURLToPath(address);
      const identify = async (): Promise<{ size: number; version: string }> => {
        const { size, mtimeMs } = await stat(path).catch((cause) => {
          throw missing(path, cause);
        });
        return { size, version: `${size} bytes of ${new Date(mtimeMs).toISOString()}` };
      };
      const { size, version } = await identify();
      const read: RemoteFile["read"] = async (start, end) => {
        const now = await identify();
        if (now.version !== version)
          throw new Error(`${path}: changed while it was read, from ${version} to ${now.version}`);
        return readRange(path, start, end);
      };
      return { address, byteLength: size, version, read };
    },
  };
}

function missing(path: string, cause: NodeJS.ErrnoException): Error {
  return cause.code === "ENOENT" ? new MissingFileError(`${path}: no such file`, { cause }) : cause;
}

async function readRange(path: string, start: number, end: number): Promise<Uint8Array> {
  const handle = await open(path, "r");
  try {
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    if (bytesRead < bytes.length) throw new Error(`${path}: cut short, ${bytesRead} of ${bytes.length} bytes`);
    return bytes;
  } finally {
    await handle.close();
  }
}

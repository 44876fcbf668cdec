import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Slice } from "../../data/format/manifest.ts";
import { sha256Of } from "../../data/format/sha256.ts";

/** Bytes of a file, from `start` on; fewer where it ends before. */
export async function readRange(path: string, start: number, bytes: number): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const content = new Uint8Array(bytes);
    let filled = 0;
    while (filled < bytes) {
      const { bytesRead } = await handle.read(content, filled, bytes - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return content.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/** The slice's bytes; undefined where they are not those of the index, which `checkPacks` tells. */
export async function readSlice(
  dataset: string,
  path: string,
  { offset, bytes, sha256 }: Omit<Slice, "pack">,
): Promise<Uint8Array | undefined> {
  const content = await readRange(join(dataset, path), offset, bytes).catch(() => undefined);
  if (!content || (await sha256Of(content)) !== sha256) return undefined;
  return content;
}

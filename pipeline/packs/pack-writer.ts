import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MAX_SLICE_BYTES } from "../../data/format/limits.ts";
import type { Slice } from "../../data/format/manifest.ts";
import { packNameOf } from "../../data/format/paths.ts";

/** What is known of a slice before its pack is whole. */
export type WrittenSlice = Omit<Slice, "pack">;

/** Writes a pack, slice by slice. */
export interface PackWriter {
  /** Writes bytes behind those before. Throws when readers would refuse so many. */
  readonly add: (bytes: Uint8Array) => Promise<WrittenSlice>;
  /** Writes bytes that are no slice. */
  readonly addBeside: (bytes: Uint8Array) => Promise<void>;
  /** Moves the pack to its path in the folder, which follows from its name; returns the name. */
  readonly finish: (pathOf: (pack: string) => string) => Promise<string>;
}

export async function createPack(folder: string): Promise<PackWriter> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${randomUUID()}.tmp`);
  const handle = await open(file, "w");
  const hash = createHash("sha256");
  let offset = 0;
  const write = async (bytes: Uint8Array): Promise<void> => {
    hash.update(bytes);
    await handle.writeFile(bytes);
    offset += bytes.length;
  };
  return {
    add: async (bytes) => {
      if (bytes.length > MAX_SLICE_BYTES) {
        throw new Error(`a slice has ${bytes.length} bytes, expected at most ${MAX_SLICE_BYTES}: a row is too large`);
      }
      const slice = { sha256: sha256Of(bytes), bytes: bytes.length, offset };
      await write(bytes);
      return slice;
    },
    addBeside: write,
    finish: async (pathOf) => {
      await handle.sync();
      await handle.close();
      const pack = packNameOf(hash.digest("hex"));
      const path = join(folder, pathOf(pack));
      await mkdir(dirname(path), { recursive: true });
      await rename(file, path);
      return pack;
    },
  };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

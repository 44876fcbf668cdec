import { createHash, randomUUID } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Deflate } from "../../../data/format/inflate.ts";
import { MAX_SLICE_BYTES } from "../../../data/format/limits.ts";
import type { Slice } from "../../../data/format/manifest.ts";
import { type PackKind, packNameOf, packPath } from "../../../data/format/paths.ts";
import { makeFolder } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { cutByHash } from "./cut.ts";

/** A slice of an unfinished pack. */
type WrittenSlice = Omit<Slice, "pack">;

interface PackWriter {
  /** Appends a slice. Throws if it is larger than readers accept. */
  readonly add: (bytes: Uint8Array) => Promise<WrittenSlice>;
  /** Appends bytes that are not a slice. */
  readonly addBeside: (bytes: Uint8Array) => Promise<void>;
  /** Moves the pack to its final path, which depends on its name. Returns the name. */
  readonly finish: (pathOf: (pack: string) => string) => Promise<string>;
}

/** Creates a pack in a temporary file of the folder. `finish` gives it its final path. */
export async function createPack(folder: string): Promise<PackWriter> {
  await makeFolder(folder);
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
        throw new CodedError(
          "CAIRN_E_TOO_LARGE",
          `a slice has ${bytes.length} bytes, expected at most ${MAX_SLICE_BYTES}: a row is too large`,
        );
      }
      const slice = { sha256: sha256Of(bytes), bytes: bytes.length, offset };
      await write(bytes);
      return slice;
    },
    addBeside: write,
    finish: async (pathOf) => {
      await handle.close();
      const pack = packNameOf(hash.digest("hex"));
      const path = join(folder, pathOf(pack));
      await makeFolder(dirname(path));
      await rename(file, path);
      return pack;
    },
  };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Compression of the primary copy: `fast` for local use, `small` for releases. */
export type Level = "fast" | "small";

/** 15 gives 10 % fewer bytes than 3 and takes three times as long. Higher levels save less than 1 %. */
export const ZSTD_LEVEL = { fast: 3, small: 15 } as const satisfies Record<Level, number>;

/** Slices are compressed once and read often. */
const LEVEL = 9;

/** Compresses a slice with raw DEFLATE, with a dictionary if one is given. */
export const deflate: Deflate = (bytes, dictionary) =>
  deflateRawSync(bytes, dictionary ? { level: LEVEL, dictionary } : { level: LEVEL });

interface PackTarget {
  readonly folder: string;
  readonly collection: CollectionName;
  readonly kind: PackKind;
}

/**
 * Writes the slices into one pack. Returns their positions in bytes, in order. Without slices, writes no file. Throws
 * if a slice is too large.
 */
export async function writePack(
  { folder, collection, kind }: PackTarget,
  slices: readonly Uint8Array[],
): Promise<Slice[]> {
  if (slices.length === 0) return [];
  const writer = await createPack(folder);
  const written = [];
  for (const bytes of slices) written.push(await writer.add(bytes));
  const pack = await writer.finish((name) => packPath(collection, kind, name));
  return written.map((slice) => ({ ...slice, pack }));
}

/** A slice that has no pack yet. */
export interface LooseSlice<Node> {
  readonly bytes: Uint8Array;
  /** Identifies the slice across releases. */
  readonly key: string;
  readonly node: Node;
}

/** Writes consecutive slices into packs of about `packBytes` bytes as they come. Returns their nodes, in order. */
export async function writePacks<Node>(
  target: PackTarget,
  slices: AsyncIterable<LooseSlice<Node>> | Iterable<LooseSlice<Node>>,
  packBytes: number,
): Promise<(Node & Slice)[]> {
  const made: (Node & Slice)[] = [];
  let waiting: LooseSlice<Node>[] = [];
  let waitingBytes = 0;
  const put = async (count: number): Promise<void> => {
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    const written = await writePack(
      target,
      taken.map(({ bytes }) => bytes),
    );
    for (const [index, slice] of written.entries()) {
      waitingBytes -= slice.bytes;
      made.push({ ...(taken[index] as LooseSlice<Node>).node, ...slice });
    }
  };
  for await (const slice of slices) {
    waiting.push(slice);
    waitingBytes += slice.bytes.length;
    while (waitingBytes > packBytes && waiting.length > 1) {
      const [first] = cutByHash(
        waiting.map(({ bytes, key }) => ({ weight: bytes.length, key })),
        packBytes,
      );
      await put(first?.end ?? 1);
    }
  }
  if (waiting.length > 0) await put(waiting.length);
  return made;
}

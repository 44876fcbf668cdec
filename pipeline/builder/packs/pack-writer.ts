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
  /** Appends bytes that no slice has, such as a footer. */
  readonly addBeside: (bytes: Uint8Array) => Promise<void>;
  /**
   * Moves the pack to the path that `pathOf` returns for its name, relative to the folder. Returns the name, the start
   * of the pack's SHA-256.
   */
  readonly finish: (pathOf: (pack: string) => string) => Promise<string>;
}

/** Returns a writer of a pack, in a temporary file of the folder until `finish`. */
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

/** Compresses with raw deflate at level 9, with a preset dictionary if one is given. */
export const deflate: Deflate = (bytes, dictionary) =>
  deflateRawSync(bytes, dictionary ? { level: LEVEL, dictionary } : { level: LEVEL });

interface PackTarget {
  readonly folder: string;
  readonly collection: CollectionName;
  readonly kind: PackKind;
}

/**
 * Writes the slices into one pack. Returns where each one is, in order. Without slices, writes no file. Throws if a
 * slice is larger than readers accept.
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

/** A slice that is not in a pack yet. */
export interface LooseSlice<Node> {
  readonly bytes: Uint8Array;
  /** Identifies the slice in each release. */
  readonly key: string;
  readonly node: Node;
}

/**
 * Writes slices, in order and as they come, into packs of at most `packBytes` bytes or of one slice. Returns the node
 * of each slice with its position.
 */
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

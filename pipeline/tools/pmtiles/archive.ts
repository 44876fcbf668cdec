/**
 * Writes PMTiles archives: a header, two levels of directories and the tiles. No npm package writes this format.
 * @see https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 * @module
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { BBox } from "../../../data/format/bbox.ts";
import { ByteWriter } from "../../../data/format/varint.ts";
import { CodedError } from "../../base/errors/index.ts";

const HEADER_BYTES = 127;
const GZIP = 2;
const MVT = 1;

interface ArchiveInfo {
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east, north in degrees. */
  readonly bbox: BBox;
  /** Metadata of the archive, which is stored as JSON. */
  readonly metadata: object;
}

interface ArchiveWriter {
  /** Adds a tile, uncompressed. Each tile id must be larger than the one before. */
  add(tileId: number, tile: Uint8Array): Promise<void>;
  /**
   * Writes the header and the directories, and gives the archive its final name. Returns the number of tiles and the
   * bytes of the archive. Throws if no tile was added.
   */
  finish(info: ArchiveInfo): Promise<{ readonly tiles: number; readonly bytes: number }>;
  /** Removes the temporary files. Does nothing after `finish`. */
  abandon(): Promise<void>;
}

/** Creates an archive. Until `finish`, it has a temporary name, and an older file at `path` is unchanged. */
export async function createArchive(path: string): Promise<ArchiveWriter> {
  const dataPath = `${path}.tiles.tmp`;
  const wholePath = `${path}.tmp`;
  const data = await open(dataPath, "w");
  const entries: Entry[] = [];
  const known = new Map<string, Pick<Entry, "offset" | "length">>();
  let [dataBytes, tiles] = [0, 0];

  return {
    async add(tileId, tile) {
      const hash = createHash("sha256").update(tile).digest("base64");
      let range = known.get(hash);
      if (!range) {
        const packed = gzipSync(tile);
        range = { offset: dataBytes, length: packed.length };
        known.set(hash, range);
        await data.writeFile(packed);
        dataBytes += packed.length;
      }
      tiles += 1;
      const last = entries.at(-1);
      const isNext = last && last.offset === range.offset && last.tileId + last.runLength === tileId;
      if (isNext) entries[entries.length - 1] = { ...last, runLength: last.runLength + 1 };
      else entries.push({ tileId, ...range, runLength: 1 });
    },
    async finish(info) {
      await data.close();
      if (tiles === 0) throw new CodedError("CAIRN_E_EMPTY", `${path} would have no tile: the area is empty`);
      const { root, leaves } = directoriesOf(entries);
      const metadata = gzipSync(JSON.stringify(info.metadata));
      const sizes = { root: root.length, metadata: metadata.length, leaves: leaves.length, data: dataBytes };
      const counts = { tiles, entries: entries.length, contents: known.size };
      const whole = await open(wholePath, "w");
      try {
        for (const part of [headerOf(info, sizes, counts), root, metadata, leaves]) await whole.writeFile(part);
        await append(whole, dataPath);
        await whole.sync();
      } finally {
        await whole.close();
      }
      await rename(wholePath, path);
      await rm(dataPath);
      return { tiles, bytes: HEADER_BYTES + root.length + metadata.length + leaves.length + dataBytes };
    },
    async abandon() {
      await data.close().catch(() => {});
      for (const left of [dataPath, wholePath]) await rm(left, { force: true });
    },
  };
}

async function append(target: FileHandle, path: string): Promise<void> {
  for await (const chunk of createReadStream(path)) await target.writeFile(chunk as Uint8Array);
}

interface Sizes {
  readonly root: number;
  readonly metadata: number;
  readonly leaves: number;
  readonly data: number;
}

function headerOf(
  { minZoom, maxZoom, bbox }: ArchiveInfo,
  { root, metadata, leaves, data }: Sizes,
  { tiles, entries, contents }: { readonly tiles: number; readonly entries: number; readonly contents: number },
): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles", "latin1");
  header.writeUInt8(3, 7);
  const metadataStart = HEADER_BYTES + root;
  const leavesStart = metadataStart + metadata;
  const dataStart = leavesStart + leaves;
  const lengths = [HEADER_BYTES, root, metadataStart, metadata, leavesStart, leaves, dataStart, data];
  for (const [i, value] of [...lengths, tiles, entries, contents].entries()) {
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * i);
  }
  const isClustered = 1;
  for (const [i, value] of [isClustered, GZIP, GZIP, MVT, minZoom, maxZoom].entries()) header.writeUInt8(value, 96 + i);
  const [west, south, east, north] = bbox;
  const right = east < west ? east + 360 : east;
  const degrees = (value: number, at: number) => header.writeInt32LE(Math.round(value * 1e7), at);
  // A box over the antimeridian becomes the full range of longitudes: the format has no other form.
  for (const [i, value] of [right > 180 ? -180 : west, south, Math.min(180, right), north].entries()) {
    degrees(value, 102 + 4 * i);
  }
  header.writeUInt8(minZoom, 118);
  const middle = (west + right) / 2;
  degrees(middle > 180 ? middle - 360 : middle, 119);
  degrees((south + north) / 2, 123);
  return header;
}

/** Entry of a directory: consecutive tiles with equal content. An entry with a run length of 0 is a leaf directory. */
interface Entry {
  readonly tileId: number;
  readonly offset: number;
  readonly length: number;
  readonly runLength: number;
}

interface Directories {
  readonly root: Uint8Array;
  readonly leaves: Uint8Array;
}

/** Bytes of the root directory at most: readers get the header and the root with their first request. */
const MOST_ROOT_BYTES = 16_384 - 127;
const LEAF_ENTRIES = 4096;

/** Returns the root directory and, if it would be too large, leaf directories. Entries are sorted by tile id. */
function directoriesOf(entries: readonly Entry[]): Directories {
  const root = writeDirectory(entries);
  if (root.length <= MOST_ROOT_BYTES) return { root, leaves: new Uint8Array() };
  for (let size = LEAF_ENTRIES; ; size *= 2) {
    const made = withLeaves(entries, size);
    if (made.root.length <= MOST_ROOT_BYTES) return made;
  }
}

function withLeaves(entries: readonly Entry[], size: number): Directories {
  const pointers: Entry[] = [];
  const leaves: Uint8Array[] = [];
  let offset = 0;
  for (let first = 0; first < entries.length; first += size) {
    const leaf = writeDirectory(entries.slice(first, first + size));
    pointers.push({ tileId: entries[first]?.tileId ?? 0, offset, length: leaf.length, runLength: 0 });
    leaves.push(leaf);
    offset += leaf.length;
  }
  return { root: writeDirectory(pointers), leaves: Buffer.concat(leaves) };
}

function writeDirectory(entries: readonly Entry[]): Uint8Array {
  const out = new ByteWriter();
  out.varint(entries.length);
  let before = 0;
  for (const { tileId } of entries) {
    out.varint(tileId - before);
    before = tileId;
  }
  for (const { runLength } of entries) out.varint(runLength);
  for (const { length } of entries) out.varint(length);
  let end = -1;
  for (const { offset, length } of entries) {
    // 0 means: directly after the previous tile.
    out.varint(offset === end ? 0 : offset + 1);
    end = offset + length;
  }
  return gzipSync(out.bytes());
}

import { gzipSync } from "node:zlib";
import { ByteWriter } from "../../data/format/varint.ts";

/** Neighbouring tiles of one content, or with a run of 0 a leaf directory. */
export interface Entry {
  readonly tileId: number;
  readonly offset: number;
  readonly length: number;
  readonly runLength: number;
}

export interface Directories {
  readonly root: Uint8Array;
  readonly leaves: Uint8Array;
}

/** Readers get the header and the root by their first request. */
const MOST_ROOT_BYTES = 16_384 - 127;
const LEAF_ENTRIES = 4096;

/** The directories of the entries, which are in order. */
export function directoriesOf(entries: readonly Entry[]): Directories {
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
    // 0 says: behind the one before
    out.varint(offset === end ? 0 : offset + 1);
    end = offset + length;
  }
  return gzipSync(out.bytes());
}

/**
 * Writes chunks: the records of consecutive slices of a country, in blocks.
 * @module
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { sealBlock, sealLast } from "../../../data/format/blocks.ts";
import {
  addressGroups,
  CHUNK_BLOCKS,
  type GroupSize,
  recordAddressOf,
  recordPositionOf,
  type StoredRecord,
} from "../../../data/format/records.ts";
import { type FittedGroup, fitGroups, fitPart } from "./fit-groups.ts";

/** A record to write into a chunk, with the box of its row in degrees. */
export interface RowRecord extends StoredRecord {
  readonly bbox: BBox;
  /** The parts of a long geometry. Then `geometry` is their table. */
  readonly parts?: readonly Uint8Array[];
}

/** A chunk in a temporary file. */
export interface MadeChunk {
  readonly file: string;
  readonly rows: number;
  readonly blocks: number;
  readonly bbox: BBox;
}

/** The records of a slice. Addresses are counted from the first chunk of the writer. */
export interface SliceRecords {
  /** Groups in order. Each has rows of this slice only. */
  readonly groups: readonly GroupSize[];
  /** Address of the record of each row. */
  readonly addresses: readonly number[];
}

interface ChunkWriter {
  /** Writes the records of the next slice. */
  readonly add: (rows: readonly RowRecord[]) => Promise<SliceRecords>;
  /** Returns the chunks, in order. Their files stay. */
  readonly close: () => Promise<readonly MadeChunk[]>;
}

interface OpenChunk {
  readonly file: string;
  readonly handle: FileHandle;
  rows: number;
  blocks: number;
  readonly boxes: BBox[];
  /** Groups that are not written yet. No zeros follow the last one of the chunk. */
  waiting: WaitingGroup[];
}

interface WaitingGroup {
  readonly content: Uint8Array;
  /** Its first block in the chunk. */
  readonly block: number;
}

/** Returns a writer that puts chunks into temporary files in the folder, so that no chunk is held in memory. */
export function createChunks(folder: string, dictionary: Uint8Array): ChunkWriter {
  const made: MadeChunk[] = [];
  let current: OpenChunk | undefined;

  /** Writes all groups but the last. */
  const flush = async (): Promise<void> => {
    if (!current) return;
    const groups = current.waiting.slice(0, -1);
    current.waiting = current.waiting.slice(-1);
    const sealed = await Promise.all(groups.map(({ content, block }) => sealBlock(content, block)));
    await current.handle.writeFile(Buffer.concat(sealed));
  };

  const end = async (): Promise<void> => {
    if (!current) return;
    await flush();
    for (const { content, block } of current.waiting) await current.handle.writeFile(await sealLast(content, block));
    const { file, handle, rows, blocks, boxes } = current;
    await handle.close();
    made.push({ file, rows, blocks, bbox: unionOfBoxes(boxes) });
    current = undefined;
  };

  const openChunk = async (chunk: number): Promise<OpenChunk> => {
    if (current && made.length === chunk) return current;
    await end();
    const file = join(folder, `${randomUUID()}.tmp`);
    current = { file, handle: await open(file, "w"), rows: 0, blocks: 0, boxes: [], waiting: [] };
    return current;
  };

  return {
    add: async (rows) => {
      const fitted = [...unitsOf(rows, dictionary)];
      const { blocks = 0 } = current ?? {};
      const isFull = blocks >= CHUNK_BLOCKS;
      const firstFree = recordAddressOf({ chunk: made.length + Number(isFull), block: isFull ? 0 : blocks, row: 0 });
      const starts = [...addressGroups(firstFree, fitted)];
      const addresses: number[] = [];
      for (const [index, group] of fitted.entries()) {
        const start = starts[index] ?? 0;
        const { chunk, block } = recordPositionOf(start);
        const into = await openChunk(chunk);
        into.waiting.push({ content: group.content, block });
        const first = block + group.blocks - group.parts.length;
        into.waiting.push(...group.parts.map((content, part) => ({ content, block: first + part })));
        into.boxes.push(...rows.slice(addresses.length, addresses.length + group.rows).map(({ bbox }) => bbox));
        into.rows += group.rows;
        into.blocks += group.blocks;
        for (let row = 0; row < group.rows; row++) addresses.push(start + row);
      }
      await flush();
      return { groups: fitted.map(({ rows: count, blocks }) => ({ rows: count, blocks })), addresses };
    },
    close: async () => {
      await end();
      return made;
    },
  };
}

/** A group, and the parts of the long geometry of its row. `blocks` counts both. */
interface Unit extends FittedGroup {
  /** Each has a block. */
  readonly parts: readonly Uint8Array[];
}

function* unitsOf(rows: readonly RowRecord[], dictionary: Uint8Array): Generator<Unit> {
  for (let start = 0; start < rows.length; ) {
    const long = rows.findIndex(({ parts }, row) => row >= start && parts);
    const end = long < 0 ? rows.length : long;
    for (const group of fitGroups(rows.slice(start, end), dictionary)) yield { ...group, parts: [] };
    for (const group of fitGroups(rows.slice(end, end + 1), dictionary)) {
      const parts = (rows[end]?.parts ?? []).map((part) => fitPart(part, dictionary));
      yield { ...group, blocks: group.blocks + parts.length, parts };
    }
    start = end + 1;
  }
}

/**
 * Returns the smallest box around boxes that do not cross the antimeridian. The result may cross it. Fast if the boxes
 * are within 180 degrees. Without boxes, returns 0 for each side.
 */
export function unionOfBoxes(boxes: readonly BBox[]): BBox {
  let [west, south, east, north] = boxes[0] ?? [0, 0, 0, 0];
  for (const box of boxes) {
    if (box[0] < west) west = box[0];
    if (box[1] < south) south = box[1];
    if (box[2] > east) east = box[2];
    if (box[3] > north) north = box[3];
  }
  return east - west <= 180 ? [west, south, east, north] : bboxUnion(boxes);
}

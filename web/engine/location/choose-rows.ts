/**
 * Chooses the rows to draw when reading all costs too much: large shapes first, then points spread over the box. Rows with
 * adjacent records are chosen together.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import { recordPositionOf } from "../../../data/format/records.ts";
import type { LocatedRow } from "./read-page.ts";
import { spreadIndexes } from "./spread.ts";

export interface Candidate extends Omit<LocatedRow, "distanceMeters"> {
  readonly box: BBox;
}

/** Cells on each side of the grid over which points are spread: those of a tile that show one point each. */
const CELLS = 128;
/** Maximum number of adjacent blocks that are chosen together. */
const MAX_TOGETHER = 16;
/** A request over HTTP/2, whose headers are compressed. */
const REQUEST_BYTES = 1024;

export interface Allowed {
  readonly maxBytes: number;
  /** Bytes that finding the position of a chunk of records costs. */
  readonly chunkBytes: number;
}

/**
 * Returns the candidates to read: all of them if they fit into `maxBytes`, otherwise large shapes first, then points spread over
 * `bbox`.
 */
export function chooseRows(
  candidates: readonly Candidate[],
  bbox: BBox,
  { maxBytes, chunkBytes }: Allowed,
): LocatedRow[] {
  const all = candidates.map(({ from, row }) => ({ from, row, distanceMeters: 0 }));
  if (maxBytes === Number.POSITIVE_INFINITY || partitionBytes(candidates) <= maxBytes) return all;
  const blocks = blocksOf(candidates);
  const width = widthOf(candidates, bbox, maxBytes);
  const units = unitsOf(blocks, width);
  const chosen = new Set<string>();
  const chunks = new Set<number>();
  let left = maxBytes;
  for (const ordinal of inPreference(candidates, bbox)) {
    const candidate = candidates[ordinal] as Candidate;
    const key = unitOf(candidate, width);
    const { chunk } = recordPositionOf(candidate.from.record(candidate.row).address);
    const bytes = (units.get(key) ?? 0) + (chunks.has(chunk) ? 0 : chunkBytes);
    if (chosen.has(key) || bytes > left) continue;
    left -= bytes;
    chosen.add(key);
    chunks.add(chunk);
  }
  return all.filter((_, ordinal) => chosen.has(unitOf(candidates[ordinal] as Candidate, width)));
}

/** Bytes of the candidates' partitions of the primary copy, with their requests. */
function partitionBytes(candidates: readonly Candidate[]): number {
  const nodes = new Set(candidates.map(({ from }) => from.ref.node));
  return [...nodes].reduce((sum, { bytes }) => sum + bytes + REQUEST_BYTES, 0);
}

interface Block {
  readonly unit: (width: number) => string;
  bytes: number;
}

/** The blocks of records that have candidates. */
function blocksOf(candidates: readonly Candidate[]): Map<string, Block> {
  const blocks = new Map<string, Block>();
  for (const candidate of candidates) {
    const key = unitOf(candidate, 1);
    const block = blocks.get(key) ?? { unit: (width) => unitOf(candidate, width), bytes: 0 };
    blocks.set(key, block);
    block.bytes = BLOCK_BYTES * candidate.from.record(candidate.row).blocks;
  }
  return blocks;
}

/** Bytes of each unit of adjacent blocks, including its request. */
function unitsOf(blocks: ReadonlyMap<string, Block>, width: number): Map<string, number> {
  const units = new Map<string, number>();
  for (const { unit, bytes } of blocks.values()) {
    const key = unit(width);
    units.set(key, (units.get(key) ?? REQUEST_BYTES) + bytes);
  }
  return units;
}

function unitOf({ from, row }: Candidate, width: number): string {
  const { chunk, block } = recordPositionOf(from.record(row).address);
  return `${chunk} ${Math.floor(block / width)}`;
}

/**
 * Blocks that are chosen together. Adjacent blocks have neighbours, so there are as few as let each cell with
 * candidates have its own.
 */
function widthOf(candidates: readonly Candidate[], bbox: BBox, maxBytes: number): number {
  const cells = new Set(candidates.map(({ box }) => cellOf(box, bbox)));
  const perCell = (maxBytes / cells.size - REQUEST_BYTES) / BLOCK_BYTES;
  return Math.max(1, Math.min(MAX_TOGETHER, Math.floor(perCell)));
}

/** The cell of the grid with the south-west corner of a box. */
function cellOf([left, low]: BBox, [west, south, east, north]: BBox): number {
  const column = Math.floor((CELLS * ((left - west + 360) % 360)) / ((east - west + 360) % 360 || 360));
  return column * 2 * CELLS + Math.floor((CELLS * (low - south)) / (north - south));
}

/**
 * Indexes of the candidates: the largest shapes first, then one point of each cell, then the second of each. Each leading
 * part is spread over the candidates, which are in the order of the primary copy.
 */
function inPreference(candidates: readonly Candidate[], bbox: BBox): number[] {
  const [west, south, east, north] = bbox;
  const [width, height] = [(east - west + 360) % 360 || 360, north - south];
  const inCell = new Map<number, number>();
  const ranks = new Float64Array(candidates.length);
  const spread = [...spreadIndexes(candidates.length)];
  for (const ordinal of spread) {
    const { box } = candidates[ordinal] as Candidate;
    const [left, low, right, high] = box;
    const size = Math.max((right - left) / width, (high - low) / height);
    const cell = cellOf(box, bbox);
    const before = inCell.get(cell) ?? 0;
    if (size === 0) inCell.set(cell, before + 1);
    ranks[ordinal] = size > 0 ? -size : before;
  }
  return spread.sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
}

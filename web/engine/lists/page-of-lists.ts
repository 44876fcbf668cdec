/**
 * Pages over several lists in the order of ids. Ranks are bounded first by segment, then by block; only blocks that
 * can contain rows of the page are read. The first bytes of ids in them give the order.
 * @module
 */

import { firstNumberOf, ID_BLOCK_ROWS, rowNumberOf, rowPositionOf } from "../../../data/format/id-order.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { ManifestError } from "../contract/errors.ts";
import { findPartitions, mayHoldCountry, type PartitionRef } from "../index-tree/tree.ts";
import { type RankRange, rankRanges } from "../plan/ranks.ts";
import { prefetchChunks } from "../store/addressed-rows.ts";
import { addressIn, findSegments, numbersOfRanks, readNumbered } from "../store/numbered-rows.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { firstFrom } from "../terms/posting-lists.ts";
import { type KeyedRow, readMerged } from "./merge-rows.ts";
import type { BlockPart, RowList, SegmentPart } from "./row-list.ts";

/** Rows before the page, and the maximum number of rows on it. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** Few blocks are all read: a directory would take a round trip. */
const FEW_BLOCKS = 16;

/**
 * Returns the rows of the page, over all lists, in the order of ids. Of rows with equal ids, that of the first list comes first.
 * Lists must be of different countries or collections.
 */
export async function pageOfLists(session: Session, lists: readonly RowList[], page: PageRange): Promise<RowRef[]> {
  const filled = lists.filter(({ total }) => total > 0);
  const total = filled.reduce((sum, list) => sum + list.total, 0);
  const { offset, limit } = page;
  if (offset >= total || limit <= 0) return [];
  const [only] = filled;
  if (only && filled.length === 1) return pageOfList(session, only, page);
  const segments = await Promise.all(filled.map((list) => segmentsOf(session, list)));
  const near = partsNear(segments.flat(), page);
  const blocks = near.parts.flatMap(blocksOf);
  const narrowed =
    blocks.length <= FEW_BLOCKS
      ? { parts: blocks, before: 0 }
      : partsNear(await boundedBlocks(session, blocks), { limit, offset: offset - near.before });
  const [, ...rows] = await Promise.all([
    Promise.all(filled.map((list) => prefetchChunks(session, list.collection, new Set([list.country])))),
    ...bySegment(narrowed.parts).map((parts) => keyedRows(session, parts, filled)),
  ]);
  const start = offset - near.before - narrowed.before;
  return readMerged(session, rows.flat(), { start, end: start + limit });
}

/** The numbers of one list are in the order of ids. */
async function pageOfList(session: Session, list: RowList, { offset, limit }: PageRange): Promise<RowRef[]> {
  const { collection, country, numbers, total } = list;
  const end = Math.min(total, offset + limit);
  const own = numbers
    ? numbers.subarray(offset, end)
    : await numbersOfRanks(session, collection, country, { start: offset, end });
  return readNumbered(session, collection, own);
}

/** The parts that can contain rows of the page, and the number of rows in parts that are certainly before it. */
function partsNear<P extends SegmentPart>(parts: readonly P[], { offset, limit }: PageRange) {
  const [first] = parts;
  const ranges = parts.every(({ list }) => list === first?.list) ? ranksInRow(parts) : rankRanges(parts, compareIds);
  const near: P[] = [];
  let before = 0;
  for (const [ordinal, part] of parts.entries()) {
    const { start = 0, end = 0 } = ranges[ordinal] ?? {};
    if (end <= offset) before += part.rows;
    else if (start < offset + limit) near.push(part);
  }
  return { parts: near, before };
}

/** The ranks of consecutive parts, such as those of one list. */
function ranksInRow(parts: readonly SegmentPart[]): RankRange[] {
  let end = 0;
  return parts.map(({ rows }) => {
    const start = end;
    end += rows;
    return { start, end };
  });
}

async function segmentsOf(session: Session, list: RowList): Promise<SegmentPart[]> {
  const { collection, country, numbers } = list;
  const refs = numbers
    ? await findSegments(session, collection, new Set(Array.from(numbers, (number) => rowPositionOf(number).segment)))
    : await findPartitions(session, { collection, run: "ids" }, (node) => mayHoldCountry(node, country));
  const parts = refs.map((ref) => {
    const { segment, rows, first_id, last_id } = ref.node;
    const own = numbers ? within(numbers, firstNumberOf(segment), firstNumberOf(segment + 1)).length : rows;
    return { list, ref, rows: own, first: first_id, last: last_id };
  });
  const found = parts.reduce((sum, { rows }) => sum + rows, 0);
  if (found !== list.total)
    throw new ManifestError(`the ids of ${collection} in ${country} have ${found} rows, expected ${list.total}`);
  return parts;
}

/** The blocks with rows of the part, with the bounds of the segment. */
function blocksOf(part: SegmentPart): BlockPart[] {
  const { list, ref } = part;
  return Array.from({ length: ref.node.blocks }, (_, block) => {
    const numbers = list.numbers && numbersIn(list.numbers, ref, block);
    return { ...part, block, rows: numbers?.length ?? rowsOfBlock(ref, block) };
  }).filter(({ rows }) => rows > 0);
}

/** The same blocks with their own bounds, from the directories. */
async function boundedBlocks(session: Session, parts: readonly BlockPart[]): Promise<BlockPart[]> {
  const bounded = bySegment(parts).map(async (own) => {
    const [part] = own;
    const { ids } = part ? await session.readDirectory(part.ref) : { ids: [] };
    return own.map((each) => {
      return { ...each, first: ids[each.block] ?? each.first, last: ids[each.block + 1] ?? each.last };
    });
  });
  return (await Promise.all(bounded)).flat();
}

/** Groups parts by segment, because adjacent blocks are read as one range. */
function bySegment(parts: readonly BlockPart[]): BlockPart[][] {
  const together = new Map<PartitionRef<"ids">, BlockPart[]>();
  for (const part of parts) {
    const own = together.get(part.ref);
    if (own) own.push(part);
    else together.set(part.ref, [part]);
  }
  return [...together.values()];
}

/** The rows of parts of a segment, in the order of ids. */
async function keyedRows(
  session: Session,
  parts: readonly BlockPart[],
  lists: readonly RowList[],
): Promise<KeyedRow[]> {
  const [part] = parts;
  if (!part) return [];
  const { list, ref } = part;
  const { collection } = list;
  const read = await session.readIdBlocks(
    ref,
    parts.map(({ block }) => block),
  );
  const ordinal = lists.indexOf(list);
  return parts.flatMap(({ block, rows }) => {
    const entries = read.get(block);
    if (entries?.rows !== rowsOfBlock(ref, block))
      throw new ManifestError(
        `block ${block} of segment ${ref.node.segment} of ${collection} has ${entries?.rows} rows`,
      );
    const numbers = list.numbers && numbersIn(list.numbers, ref, block);
    const ownRows = numbers
      ? Array.from(numbers, (number) => rowPositionOf(number).row)
      : Array.from({ length: rows }, (_, index) => index);
    return ownRows.map((at) => {
      if (at >= entries.rows) throw new ManifestError(`the ids of ${collection} have no row that the index names`);
      return { list: ordinal, collection, key: entries.key(at), address: addressIn(session, ref, entries, at) };
    });
  });
}

/** Rows of a block of a segment. */
function rowsOfBlock({ node }: PartitionRef<"ids">, block: number): number {
  return Math.min(ID_BLOCK_ROWS, node.rows - block * ID_BLOCK_ROWS);
}

function numbersIn(numbers: Float64Array, { node }: PartitionRef<"ids">, block: number): Float64Array {
  const { segment } = node;
  return within(numbers, rowNumberOf({ segment, block, row: 0 }), rowNumberOf({ segment, block: block + 1, row: 0 }));
}

function within(numbers: Float64Array, least: number, end: number): Float64Array {
  const start = firstFrom(numbers, 0, least);
  return numbers.subarray(start, firstFrom(numbers, start, end));
}

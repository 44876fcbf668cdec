/**
 * Pages over several lists in the order of ids. Ranks are bounded first by segment, then by group; only groups that
 * can contain rows of the page are read.
 * @module
 */
import { compareIds } from "../../../data/format/ids.ts";
import { addressOf, firstNumberOf, MAX_GROUP_ROWS, rowNumberOf } from "../../../data/format/records.ts";
import { findPartitions, mayHoldCountry, type PartitionRef } from "../index-tree/tree.ts";
import { type RankRange, rankRanges } from "../plan/ranks.ts";
import { findStretches, readNumbered } from "../store/numbered-rows.ts";
import { sortRows } from "../store/row-order.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { firstFrom } from "../terms/posting-lists.ts";
import type { GroupPart, Part, RowList } from "./row-list.ts";

/** Rows before the page, and the maximum number of rows on it. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/** Few rows are all read: narrowing them down would take round trips. */
const FEW_ROWS = 64;

/**
 * Returns the rows of the page. Lists are of different countries or collections; of equal ids that of the first list
 * comes first.
 */
export async function pageOfLists(session: Session, lists: readonly RowList[], page: PageRange): Promise<RowRef[]> {
  const filled = lists.filter(({ total }) => total > 0);
  const total = filled.reduce((sum, list) => sum + list.total, 0);
  if (page.offset >= total || page.limit <= 0) return [];
  const [only] = filled;
  const collections = filled.map(({ collection }) => collection);
  if (only?.numbers && filled.length === 1) {
    return readNumbered(session, only.collection, only.numbers.subarray(page.offset, page.offset + page.limit));
  }
  if (total <= FEW_ROWS && filled.every(({ numbers }) => numbers)) {
    const rows = await Promise.all(
      filled.map(({ collection, numbers = [] }) => readNumbered(session, collection, numbers)),
    );
    return sortRows(rows.flat(), collections).slice(page.offset, page.offset + page.limit);
  }
  const stretches = await Promise.all(filled.map((list) => stretchesOf(session, list)));
  const near = partsNear(stretches.flat(), page);
  const groups = await Promise.all(near.parts.map((part) => groupsOf(session, part)));
  const wanted = partsNear(groups.flat(), { ...page, offset: page.offset - near.before });
  const rows = await Promise.all(byStretch(wanted.parts).map((parts) => rowsOf(session, parts)));
  const start = page.offset - near.before - wanted.before;
  return sortRows(rows.flat(), collections).slice(start, start + page.limit);
}

/** The parts that can contain rows of the page, and the number of rows in parts that are certainly before it. */
function partsNear<P extends Part>(parts: readonly P[], { offset, limit }: PageRange) {
  const [first] = parts;
  const ranges = parts.every(({ list }) => list === first?.list) ? ranksInRow(parts) : rankRanges(parts, compareIds);
  const near: P[] = [];
  let before = 0;
  for (const [place, part] of parts.entries()) {
    const { start = 0, end = 0 } = ranges[place] ?? {};
    if (end <= offset) before += part.rows;
    else if (start < offset + limit) near.push(part);
  }
  return { parts: near, before };
}

/** The ranks of consecutive parts, such as those of one list. */
function ranksInRow(parts: readonly Part[]): RankRange[] {
  let end = 0;
  return parts.map(({ rows }) => {
    const start = end;
    end += rows;
    return { start, end };
  });
}

async function stretchesOf(session: Session, list: RowList): Promise<Part[]> {
  const { collection, country, numbers } = list;
  const refs = numbers
    ? await findStretches(session, collection, new Set(Array.from(numbers, (number) => addressOf(number).stretch)))
    : await findPartitions(session, { collection, run: "records" }, (node) => mayHoldCountry(node, country));
  return refs.map((ref) => {
    const { stretch, rows, first_id, last_id } = ref.node;
    const own = numbers ? countWithin(numbers, firstNumberOf(stretch), firstNumberOf(stretch + 1)) : rows;
    return { list, ref, rows: own, first: first_id, last: last_id };
  });
}

async function groupsOf(session: Session, { list, ref }: Part): Promise<GroupPart[]> {
  const { blocks, rows, ids } = await session.readDirectory(ref);
  const { stretch, last_id } = ref.node;
  return blocks.flatMap((block, group) => {
    const first = rowNumberOf({ stretch, block, place: 0 });
    const own = list.numbers ? countWithin(list.numbers, first, first + MAX_GROUP_ROWS) : (rows[group] ?? 0);
    if (own === 0) return [];
    const count = (blocks[group + 1] ?? ref.node.blocks) - block;
    return { list, ref, block, blocks: count, rows: own, first: ids[group] ?? "", last: ids[group + 1] ?? last_id };
  });
}

/** Groups parts by segment and list, because adjacent groups are read as one range. */
function byStretch(parts: readonly GroupPart[]): GroupPart[][] {
  const together = new Map<RowList, Map<PartitionRef<"records">, GroupPart[]>>();
  for (const part of parts) {
    const ofList = together.get(part.list) ?? new Map<PartitionRef<"records">, GroupPart[]>();
    together.set(part.list, ofList.set(part.ref, [...(ofList.get(part.ref) ?? []), part]));
  }
  return [...together.values()].flatMap((ofList) => [...ofList.values()]);
}

async function rowsOf(session: Session, parts: readonly GroupPart[]): Promise<RowRef[]> {
  const [part] = parts;
  if (!part) return [];
  const blocks = new Map(parts.map(({ block, blocks: count }) => [block, count]));
  const groups = await session.readGroups(part.ref, [...blocks.keys()], {
    blocksOf: (block) => blocks.get(block) ?? 1,
  });
  return parts.flatMap(({ list, ref, block }) => {
    const group = groups.get(block);
    if (!group) return [];
    const first = rowNumberOf({ stretch: ref.node.stretch, block, place: 0 });
    const places = list.numbers
      ? within(list.numbers, first, first + MAX_GROUP_ROWS).map((number) => number - first)
      : Array.from({ length: group.rows }, (_, place) => place);
    return Array.from(places, (row) => ({ rows: group, row }));
  });
}

function within(numbers: Float64Array, least: number, end: number): Float64Array {
  const start = firstFrom(numbers, 0, least);
  return numbers.subarray(start, firstFrom(numbers, start, end));
}

function countWithin(numbers: Float64Array, least: number, end: number): number {
  return within(numbers, least, end).length;
}

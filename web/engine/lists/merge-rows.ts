/**
 * Merges rows of several lists by the first bytes of their ids. Where these do not decide, whole ids are read from the
 * records.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { toUtf8 } from "../../../data/format/utf8.ts";
import { readAddressed } from "../store/addressed-rows.ts";
import { sortRows } from "../store/row-order.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";

/** A row of one of several sorted lists, with the first bytes of its id. */
export interface KeyedRow {
  /** Index of the list. Of rows with equal ids, that of the first list comes first. */
  readonly list: number;
  readonly collection: CollectionName;
  /** The first bytes of the id. A short id may have zeros after it. */
  readonly key: Uint8Array;
  readonly address: number;
}

/** Ranks, half-open. */
interface Ranks {
  readonly start: number;
  readonly end: number;
}

/** A row with a key as text of a character per byte, which compares like bytes. */
interface OpenRow {
  readonly row: KeyedRow;
  /** Its rank in its list, counted over all lists. */
  readonly rank: number;
  readonly key: string;
  /** Whether the key is the whole id. */
  readonly isWhole: boolean;
}

/** Consecutive rows whose order is not known from their keys. Their order relative to other rows is. */
interface Cluster extends Ranks {
  readonly rows: readonly OpenRow[];
  /** The shortest key of a row whose id is not known. All later keys start with it. Undefined if all ids are known. */
  readonly prefix: string | undefined;
  /** Whether all rows are of one list: then they are in order. */
  readonly isOfOne: boolean;
}

/** Up to this many rows outside the page are read with it: to exclude them would take a round trip. */
const FEW_ROWS = 8;

/** Reads the rows of these ranks, in the order of ids, then of lists. In `rows`, the rows of each list must be in order. */
export async function readMerged(session: Session, rows: readonly KeyedRow[], page: Ranks): Promise<RowRef[]> {
  let sorted = byKey(rows.map((row, rank) => ({ row, rank, key: prefixOf(row.key), isWhole: false })));
  for (;;) {
    const unclear = new Set(clustersOf(sorted).flatMap((cluster) => unclearRows(cluster, page)));
    if (unclear.size === 0) break;
    const known = await wholeRows(session, unclear);
    sorted = byKey(sorted.map((row) => known.get(row) ?? row));
  }
  const wanted: KeyedRow[] = [];
  const open: Ranks[] = [];
  let skipped = 0;
  for (const { rows: own, start, isOfOne } of clustersOf(sorted)) {
    const [from, to] = [Math.max(0, page.start - start), Math.min(own.length, page.end - start)];
    if (from >= to) continue;
    if (!isOfOne) {
      if (wanted.length === 0) skipped = from;
      open.push({ start: wanted.length, end: wanted.length + own.length });
    }
    for (const { row } of isOfOne ? own.slice(from, to) : own) wanted.push(row);
  }
  const read = await readRows(session, wanted);
  const collections = collectionsOf(rows);
  for (const { start, end } of open) read.splice(start, end - start, ...sortRows(read.slice(start, end), collections));
  return read.slice(skipped, skipped + page.end - page.start);
}

/** Zeros at the end may not belong to the id. */
function prefixOf(key: Uint8Array): string {
  return textOf(key).replace(/\0+$/, "");
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function byKey(rows: readonly OpenRow[]): OpenRow[] {
  return rows.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** Splits sorted rows where the keys decide. */
function clustersOf(rows: readonly OpenRow[]): Cluster[] {
  const clusters: Cluster[] = [];
  for (let start = 0; start < rows.length; ) {
    const first = rows[start] as OpenRow;
    let prefix = first.isWhole ? undefined : first.key;
    let end = start + 1;
    for (; end < rows.length; end++) {
      const { key, isWhole } = rows[end] as OpenRow;
      if (prefix === undefined ? key !== first.key : !key.startsWith(prefix)) break;
      if (!isWhole) prefix ??= key;
    }
    // Blocks have keys of different lengths, so that keys of one list may be in another order than its rows.
    const own = rows.slice(start, end).sort((a, b) => a.rank - b.rank);
    clusters.push({ rows: own, start, end, prefix, isOfOne: own.every(({ row }) => row.list === first.row.list) });
    start = end;
  }
  return clusters;
}

/** The rows whose ids decide which rows of a cluster are on the page. */
function unclearRows({ rows, start, end, prefix, isOfOne }: Cluster, page: Ranks): OpenRow[] {
  const inside = Math.min(end, page.end) - Math.max(start, page.start);
  if (isOfOne || inside <= 0 || rows.length - inside <= FEW_ROWS) return [];
  return rows.filter(({ key, isWhole }) => !isWhole && key === prefix);
}

/** The same rows with their whole ids. */
async function wholeRows(session: Session, unclear: ReadonlySet<OpenRow>): Promise<ReadonlyMap<OpenRow, OpenRow>> {
  const all = [...unclear];
  const read = await readRows(
    session,
    all.map(({ row }) => row),
  );
  return new Map(
    all.map((open, index) => {
      const { rows, row } = read[index] as RowRef;
      return [open, { ...open, key: textOf(toUtf8(rows.id(row))), isWhole: true }];
    }),
  );
}

async function readRows(session: Session, wanted: readonly KeyedRow[]): Promise<RowRef[]> {
  const read: RowRef[] = new Array(wanted.length);
  await Promise.all(
    collectionsOf(wanted).map(async (collection) => {
      const ordinals = [...wanted.keys()].filter((ordinal) => wanted[ordinal]?.collection === collection);
      const own = ordinals.map((ordinal) => wanted[ordinal] as KeyedRow);
      const rows = await readAddressed(session, collection, own);
      for (const [index, ordinal] of ordinals.entries()) read[ordinal] = rows[index] as RowRef;
    }),
  );
  return read;
}

/** The collections in the order of their first lists. */
function collectionsOf(rows: readonly KeyedRow[]): CollectionName[] {
  const inOrder = rows.toSorted((a, b) => a.list - b.list);
  return [...new Set(inOrder.map(({ collection }) => collection))];
}

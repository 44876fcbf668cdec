/**
 * Searches by country: the id run, of which only the partitions that hold the page are read.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { type IndexNode, isPage } from "../../../data/format/manifest.ts";
import type { Query } from "../contract/query.ts";
import { type Leaf, leavesOf, type PageRef, type PartitionRef } from "../index-tree/tree.ts";
import { rankRanges, type Span } from "./ranks.ts";
import type { KnownIndex, Progress, Step } from "./step.ts";

/** Before and after every id: the greatest code point of all, more often than an id would have it. */
const BEFORE_ALL = "";
const AFTER_ALL = "\u{10ffff}".repeat(8);

interface Unit extends Leaf, Span<string> {}

/** The next step for a search by country. */
export function planCountry(query: Query, country: string, index: KnownIndex, progress: Progress): Step {
  const units = query.collections.flatMap((collection) => unitsOf(index, collection, country));
  const end = query.offset + query.limit;
  const ranges = rankRanges(units, compareIds);
  const before: Unit[] = [];
  const pages: PageRef[] = [];
  const partitions: PartitionRef[] = [];
  for (const [place, unit] of units.entries()) {
    const { collection, run, node } = unit;
    if ((ranges[place]?.end ?? 0) <= query.offset) before.push(unit);
    else if ((ranges[place]?.start ?? end) >= end) continue;
    else if (isPage(node)) pages.push({ collection, run, node });
    else partitions.push({ collection, run, node });
  }
  if (pages.length > 0) return { kind: "read-pages", pages };
  const unread = partitions.filter(({ node }) => !progress.isRead(node));
  if (unread.length > 0) return { kind: "read-partitions", partitions: unread };
  return {
    kind: "done",
    start: query.offset - sumOf(before, (unit) => unit.rows),
    countedRows: sumOf(units, (unit) => unit.rows) - sumOf(partitions, ({ node }) => node.rows),
    countedPartitions: sumOf(units, ({ node }) => (isPage(node) ? node.partitions : 1)) - partitions.length,
  };
}

/** The parts of the id run that hold rows of the country; the index counts rows, so their shares are exact. */
function unitsOf(index: KnownIndex, collection: CollectionName, country: string): Unit[] {
  const { countries = {} } = index.manifest.collections[collection] ?? {};
  const start = sumOf(Object.entries(countries), ([code, rows]) => (code < country ? rows : 0));
  const end = start + (countries[country] ?? 0);
  const rowsOf = (node: IndexNode, startRow: number) => Math.min(startRow + node.rows, end) - Math.max(startRow, start);
  const leaves = leavesOf(index, { collection, run: "id" }, (node, startRow) => rowsOf(node, startRow) > 0);
  return leaves.map((leaf) => ({ ...leaf, rows: rowsOf(leaf.node, leaf.startRow), ...idsOf(leaf.node, country) }));
}

function idsOf(node: IndexNode, country: string): { first: string; last: string } {
  if (!isPage(node)) return { first: node.first_id ?? BEFORE_ALL, last: node.last_id ?? AFTER_ALL };
  return {
    first: node.first?.[0] === country ? node.first[1] : BEFORE_ALL,
    last: node.last?.[0] === country ? node.last[1] : AFTER_ALL,
  };
}

function sumOf<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}

/**
 * Searches by country: the id run, of which only the partitions that hold the page are read.
 * @module
 */
import { compareIds } from "../../../data/format/ids.ts";
import {
  type IndexNode,
  isPage,
  type Manifest,
  type ManifestCollection,
  type PageNode,
  type PartitionNode,
} from "../../../data/format/manifest.ts";
import type { Query } from "../query.ts";
import type { NodeRef, Progress, Step } from "./plan.ts";
import { rankRanges, type Span } from "./ranks.ts";

/** Before and after every id: the greatest code point of all, more often than an id would have it. */
const BEFORE_ALL = "";
const AFTER_ALL = "\u{10ffff}".repeat(8);

interface Unit extends NodeRef, Span<string> {}

/** The next step for a search by country. */
export function planCountry(query: Query, country: string, manifest: Manifest, progress: Progress): Step {
  const units = query.collections.flatMap((collection) => {
    const entry = manifest.collections[collection];
    return entry ? [...unitsOf(entry, country, progress)].map((unit) => ({ ...unit, collection })) : [];
  });
  const end = query.offset + query.limit;
  const ranges = rankRanges(units, compareIds);
  const before: Unit[] = [];
  const pages: NodeRef<PageNode>[] = [];
  const partitions: NodeRef<PartitionNode>[] = [];
  for (const [index, unit] of units.entries()) {
    const { collection, run, node } = unit;
    if ((ranges[index]?.end ?? 0) <= query.offset) before.push(unit);
    else if ((ranges[index]?.start ?? end) >= end) continue;
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
function* unitsOf(
  collection: ManifestCollection,
  country: string,
  progress: Progress,
): Generator<Omit<Unit, "collection">> {
  let countryStart = 0;
  for (const [code, rows] of Object.entries(collection.countries)) {
    if (code < country) countryStart += rows;
  }
  const countryEnd = countryStart + (collection.countries[country] ?? 0);

  function* walk(nodes: readonly IndexNode[], nodesStart: number): Generator<Omit<Unit, "collection">> {
    let start = nodesStart;
    for (const node of nodes) {
      const end = start + node.rows;
      const rows = Math.min(end, countryEnd) - Math.max(start, countryStart);
      if (rows > 0) {
        const children = isPage(node) ? progress.childrenOf(node) : undefined;
        if (children) yield* walk(children, start);
        else yield { run: "id", node, rows, ...idsOf(node, country) };
      }
      start = end;
    }
  }
  yield* walk(collection.runs.id.nodes, 0);
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

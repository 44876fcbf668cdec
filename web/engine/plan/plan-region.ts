/**
 * Searches by region: the location run. Of what the region's edge crosses the points are read; what lies wholly inside is
 * counted from the index, and its points are read only when its rows can be on the page.
 * @module
 */

import { areaOf, farthestInBBox, nearestInBBox } from "../../../data/format/bbox-distance.ts";
import { isPage, type PageNode, type PartitionNode } from "../../../data/format/manifest.ts";
import type { Query } from "../contract/query.ts";
import { type Leaf, leavesOf, partitionOf } from "../index-tree/tree.ts";
import { rankRanges } from "./ranks.ts";
import { estimateReach, type Supply } from "./reach.ts";
import { type Region, SLACK_METERS } from "./region.ts";
import type { KnownIndex, Progress, Step } from "./step.ts";

interface Unit extends Leaf<"location"> {
  /** No row of the unit is nearer, none is farther. */
  readonly nearMeters: number;
  readonly farMeters: number;
  /** Whether every row of it matches. */
  readonly isWhole: boolean;
}

/** The next step for a search by region. */
export function planRegion(query: Query, region: Region, index: KnownIndex, progress: Progress): Step {
  const units = unitsOf(query, region, index);
  const unread = units.filter(({ node }) => isPage(node) || !progress.isRead(node));
  const before = new Set(beforePage(units, query.offset).filter((unit) => unread.includes(unit)));
  const open = unread.filter((unit) => !before.has(unit));
  const firstRank = query.offset - rowsOf([...before]);
  const lastRank = firstRank + query.limit - 1;
  const lastMeters = progress.distanceAt(lastRank);
  const reachMeters = Number.isFinite(lastMeters)
    ? lastMeters
    : estimateReach(open.map(toSupply), lastRank + 1 - progress.matched);
  const wanted = open.filter((unit) => !unit.isWhole || unit.nearMeters <= reachMeters + SLACK_METERS);
  const pages = wanted.flatMap(({ collection, run, node }) => (isPage(node) ? [{ collection, run, node }] : []));
  if (pages.length > 0) return { kind: "read-pages", pages };
  const partitions = wanted.flatMap((unit) => partitionOf(unit) ?? []);
  if (partitions.length > 0) return { kind: "read-points", partitions };
  return {
    kind: "done",
    start: firstRank,
    countedRows: rowsOf(unread),
    countedPartitions: unread.reduce((sum, { node }) => sum + (isPage(node) ? node.partitions : 1), 0),
  };
}

/** Partitions, and pages not yet opened, that can hold matching rows. */
function unitsOf({ collections, country, filters }: Query, region: Region, index: KnownIndex): Unit[] {
  const leaves = collections.flatMap((collection) =>
    leavesOf(index, { collection, run: "location" }, (node) => {
      return (isPage(node) || country === undefined || node.country === country) && region.reaches(node.bbox);
    }),
  );
  return leaves.map((leaf) => ({
    ...leaf,
    nearMeters: nearestInBBox(region.origin, leaf.node.bbox),
    farMeters: farthestInBBox(region.origin, leaf.node.bbox),
    // how many rows of a page are the country's is told only by its nodes
    isWhole: !filters && (!isPage(leaf.node) || country === undefined) && region.holds(leaf.node.bbox),
  }));
}

/** Units wholly inside the region whose rows all come before the page, whatever the rows of the others are. */
function beforePage(units: readonly Unit[], offset: number): Unit[] {
  if (offset === 0) return [];
  const spans = units.map(({ node, nearMeters, farMeters }) => ({
    first: nearMeters - SLACK_METERS,
    last: farMeters + SLACK_METERS,
    rows: node.rows,
  }));
  const ranges = rankRanges(spans, (a, b) => a - b);
  return units.filter((unit, index) => unit.isWhole && (ranges[index]?.end ?? 0) <= offset);
}

function toSupply({ node, nearMeters, farMeters }: Unit): Supply {
  return { rows: node.rows, nearMeters, farMeters, squareMeters: areaOf(node.bbox) };
}

function rowsOf(units: readonly { readonly node: PartitionNode | PageNode }[]): number {
  return units.reduce((sum, { node }) => sum + node.rows, 0);
}

/**
 * Searches by region: the location run. What the region's edge crosses is read, or only measured by its shapes when its
 * rows are not on the page; what lies wholly inside is counted from the index, and read only when its rows can be on the page.
 * @module
 */

import { areaOf, farthestInBBox, nearestInBBox } from "../../../data/format/bbox-distance.ts";
import { type IndexNode, isPage, type PageNode, type PartitionNode } from "../../../data/format/manifest.ts";
import type { Query } from "../contract/query.ts";
import { leavesOf, type NodeRef, type PartitionRef } from "../index-tree/tree.ts";
import { countBelow, countUpTo, rankRanges } from "./ranks.ts";
import { estimateReach, type Supply } from "./reach.ts";
import { type Region, SLACK_METERS } from "./region.ts";
import type { KnownIndex, Progress, Step } from "./step.ts";

interface Unit extends NodeRef {
  /** No row of the unit is nearer, none is farther. */
  readonly nearMeters: number;
  readonly farMeters: number;
  /** Whether every row of it matches. */
  readonly isWhole: boolean;
}

/** The next step for a search by region. */
export function planRegion(query: Query, region: Region, index: KnownIndex, progress: Progress): Step {
  const units = unitsOf(query, region, index);
  const isUnread = ({ node }: Unit): boolean => isPage(node) || !progress.isRead(node);
  const measured = units.flatMap((unit) => (isUnread(unit) ? measuredOf(unit, progress) : []));
  const measuredNodes = new Set<IndexNode>(measured.map(({ ref }) => ref.node));
  const isMeasured = (unit: Unit): boolean => measuredNodes.has(unit.node);
  const before = new Set(beforePage(units, query.offset).filter((unit) => isUnread(unit) && !isMeasured(unit)));
  const beforeRows = rowsOf([...before]);
  const open = units.filter((unit) => isUnread(unit) && !isMeasured(unit) && !before.has(unit));

  const firstRank = query.offset - beforeRows;
  const lastRank = firstRank + query.limit - 1;
  const lastMeters = progress.distanceAt(lastRank);
  const reachMeters = Number.isFinite(lastMeters) ? lastMeters : reachOf(open, lastRank + 1 - progress.matched);
  const wanted = open.filter((unit) => !unit.isWhole || unit.nearMeters <= reachMeters + SLACK_METERS);

  const pages = wanted.flatMap(({ collection, run, node }) => (isPage(node) ? [{ collection, run, node }] : []));
  if (pages.length > 0) return { kind: "read-pages", pages };
  if (wanted.length > 0) {
    const fromMeters = firstRank > progress.matched ? reachOf(open, firstRank - progress.matched) : 0;
    const likelyMeters = reachMeters * trustOf(units, query.offset + query.limit);
    // a wrong guess costs a round trip, not a wrong answer
    const isOnPage = ({ nearMeters, farMeters }: Unit) => nearMeters <= likelyMeters && farMeters >= fromMeters;
    const areShapesEnough = (unit: Unit) => hasShapes(query, unit) && !isOnPage(unit);
    return {
      kind: "read-partitions",
      partitions: wanted.filter((unit) => !areShapesEnough(unit)).flatMap(partitionOf),
      shapes: wanted.filter(areShapesEnough).flatMap(partitionOf),
    };
  }

  const firstMeters = progress.distanceAt(firstRank);
  const isOnPage = (distances: Float64Array) => countBelow(distances, firstMeters) < countUpTo(distances, lastMeters);
  const onPage = measured.filter(({ distances }) => isOnPage(distances));
  if (onPage.length > 0) return { kind: "read-partitions", partitions: onPage.map(({ ref }) => ref) };

  const counted = units.filter((unit) => isUnread(unit) && !isMeasured(unit));
  const nearer = measured.reduce((sum, { distances }) => sum + countBelow(distances, firstMeters), 0);
  return {
    kind: "done",
    start: firstRank - nearer,
    countedRows: rowsOf(counted) + measured.reduce((sum, { distances }) => sum + distances.length, 0),
    countedPartitions:
      measured.length + counted.reduce((sum, { node }) => sum + (isPage(node) ? node.partitions : 1), 0),
  };
}

function reachOf(open: readonly Unit[], rows: number): number {
  return estimateReach(open.map(toSupply), rows);
}

/** Which share of the estimated reach is likely: it is generous for a few rows of many, and good for most of them. */
function trustOf(units: readonly Unit[], rows: number): number {
  return Math.min(1, 0.5 + rows / Math.max(1, rowsOf(units)));
}

function measuredOf(unit: Unit, progress: Progress): { ref: PartitionRef; distances: Float64Array }[] {
  return partitionOf(unit).flatMap((ref) => {
    const distances = progress.measured(ref.node);
    return distances ? [{ ref, distances }] : [];
  });
}

function partitionOf({ collection, run, node }: Unit): PartitionRef[] {
  return isPage(node) ? [] : [{ collection, run, node }];
}

/** Shapes tell where rows are, not what they are. */
function hasShapes({ filters }: Query, { node }: Unit): boolean {
  return !filters && !isPage(node) && node.shape !== undefined;
}

/** Partitions, and pages not yet opened, that can hold matching rows. */
function unitsOf({ collections, country, filters }: Query, region: Region, index: KnownIndex): Unit[] {
  const leaves = collections.flatMap((collection) =>
    leavesOf(index, { collection, run: "location" }, (node) => {
      return (isPage(node) || country === undefined || node.country === country) && region.reaches(node.bbox);
    }),
  );
  return leaves.map(({ collection, run, node }) => ({
    collection,
    run,
    node,
    nearMeters: nearestInBBox(region.origin, node.bbox),
    farMeters: farthestInBBox(region.origin, node.bbox),
    // how many rows of a page are the country's is told only by its nodes
    isWhole: !filters && (!isPage(node) || country === undefined) && region.holds(node.bbox),
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

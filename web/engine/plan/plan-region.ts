/**
 * Plans a search by region over the location run. It reads the points of units that the region's edge crosses. The index
 * counts the rows of units inside the region. Their points are read only if their rows can be on the page.
 * @module
 */
import { areaOf, farthestInBBox, nearestInBBox, SLACK_METERS } from "../../../data/format/bbox-distance.ts";
import { type IndexNode, isPage, type PageNode, type PartitionNode } from "../../../data/format/manifest.ts";
import { isInCountries, type Query } from "../contract/query.ts";
import { isSection, sectionsOf } from "../index-tree/sections.ts";
import { type Leaf, leavesOf, partitionOf } from "../index-tree/tree.ts";
import { rankRanges } from "./ranks.ts";
import type { Region } from "./region.ts";
import type { KnownIndex, Progress, Step } from "./step.ts";

interface Unit extends Leaf<"location"> {
  /** All rows of the unit are between these distances. */
  readonly nearMeters: number;
  readonly farMeters: number;
  /** Whether every row of it matches. */
  readonly isWhole: boolean;
}

/** Returns the next step for a search by region. */
export function planRegion(query: Query, region: Region, index: KnownIndex, progress: Progress): Step {
  const units = unitsOf(query, region, index);
  const unread = units.filter(({ node }) => isPage(node) || !progress.isRead(node));
  const before = new Set(beforePage(units, query.offset).filter((unit) => unread.includes(unit)));
  const open = unread.filter((unit) => !before.has(unit));
  const firstRank = query.offset - rowsOf([...before]);
  const lastRank = firstRank + Math.min(query.limit, enoughOf(query)) - 1;
  const lastMeters = progress.distanceAt(lastRank);
  const reachMeters = Number.isFinite(lastMeters)
    ? lastMeters
    : estimateReach(open.map(toSupply), lastRank + 1 - progress.matched);
  const isCounted = !endsWithNearest(query);
  const wanted = open.filter((unit) => (isCounted && !unit.isWhole) || unit.nearMeters <= reachMeters + SLACK_METERS);
  const pages = wanted.flatMap(({ collection, run, node }) => (isPage(node) ? [{ collection, run, node }] : []));
  if (pages.length > 0) return { kind: "read-pages", pages };
  const partitions = wanted.flatMap((unit) => partitionOf(unit) ?? []);
  if (partitions.length > 0) return { kind: "read-points", partitions };
  return {
    kind: "done",
    start: firstRank,
    countedRows: rowsOf(unread),
    countedPartitions: countPartitions(units, unread),
    sureMeters: open.reduce((least, { nearMeters }) => Math.min(least, nearMeters - SLACK_METERS), Infinity),
  };
}

/** Returns the number of rows of the page after which further ones may be left out. Infinity: none may. */
export function enoughOf({ nearest, filters, enough }: Query): number {
  return nearest === undefined || filters || enough === undefined ? Number.POSITIVE_INFINITY : enough;
}

/** Whether the page has the last of the nearest rows: farther rows need no count. */
function endsWithNearest({ nearest, filters, offset, limit }: Query): boolean {
  return nearest !== undefined && !filters && offset + limit >= nearest;
}

/** Maximum number of rows of a page that is searched by sections. */
const MOST_IN_SECTIONS = 100;

/** Number of partitions of which nothing was read. */
function countPartitions(units: readonly Unit[], unread: readonly Unit[]): number {
  const read = new Set(units.filter((unit) => !unread.includes(unit)).map(({ node }) => wholeNode(node)));
  const nodes = new Set(unread.map(({ node }) => wholeNode(node)));
  return [...nodes].reduce((sum, node) => sum + (isPage(node) ? node.partitions : Number(!read.has(node))), 0);
}

const wholeNode = (node: IndexNode): IndexNode => (!isPage(node) && isSection(node) ? node.whole : node);

/**
 * Partitions and unopened pages that can contain matching rows. A few rows are in few sections of a partition. Other
 * searches read partitions whole, because sections take more requests and round trips.
 */
function unitsOf({ collections, country, filters, limit }: Query, region: Region, index: KnownIndex): Unit[] {
  const leaves = collections.flatMap((collection) =>
    leavesOf(index, { collection, run: "location" }, (node) => {
      return (isPage(node) || isInCountries(node.country, country)) && region.reaches(node.bbox);
    }),
  );
  const isSectioned = limit <= MOST_IN_SECTIONS && !filters;
  const units = isSectioned ? leaves.flatMap((leaf) => inSections(leaf, region)) : leaves;
  return units.map((leaf) => ({
    ...leaf,
    nearMeters: nearestInBBox(region.origin, leaf.node.bbox),
    farMeters: farthestInBBox(region.origin, leaf.node.bbox),
    // Only the nodes of a page contain the number of rows per country.
    isWhole: !filters && (!isPage(leaf.node) || country === undefined) && region.holds(leaf.node.bbox),
  }));
}

/** The sections of a partition that can contain matching rows. */
function inSections(leaf: Leaf<"location">, region: Region): Leaf<"location">[] {
  const { node } = leaf;
  if (isPage(node) || !("points" in node)) return [leaf];
  return sectionsOf(node).flatMap((section) => (region.reaches(section.bbox) ? [{ ...leaf, node: section }] : []));
}

/** Units inside the region whose rows all come before the page. */
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

/** Rows whose distance is between `nearMeters` and `farMeters`, in a box of `squareMeters`. */
export interface Supply {
  readonly rows: number;
  readonly nearMeters: number;
  readonly farMeters: number;
  readonly squareMeters: number;
}

/** Halvings of the interval: from half the earth to a centimetre. */
const HALVINGS = 32;

/**
 * Estimates the radius in metres of the circle that contains `rows` rows, if the rows of each supply are spread evenly over its
 * box. Infinity if there are not more than `rows`. A wrong estimate costs only another round trip.
 */
export function estimateReach(supplies: readonly Supply[], rows: number): number {
  const supplied = supplies.reduce((sum, supply) => sum + supply.rows, 0);
  if (supplied <= rows) return Number.POSITIVE_INFINITY;
  let low = 0;
  let high = supplies.reduce((most, { farMeters }) => Math.max(most, farMeters), 0);
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    const expected = supplies.reduce((sum, supply) => sum + supply.rows * shareWithin(supply, middle), 0);
    if (expected < rows) low = middle;
    else high = middle;
  }
  return high;
}

function shareWithin({ nearMeters, farMeters, squareMeters }: Supply, meters: number): number {
  if (meters >= farMeters) return 1;
  if (meters <= nearMeters) return 0;
  const seenAngle = 2 * Math.atan(Math.sqrt(squareMeters) / (nearMeters + farMeters));
  // An exact angle makes the search read more files without need.
  const angle = nearMeters === 0 ? Math.PI : Math.min(Math.PI, 2 * seenAngle);
  const sectorSquareMeters = (angle / 2) * (meters * meters - nearMeters * nearMeters);
  return Math.min(1, sectorSquareMeters / squareMeters);
}

/**
 * Finds whether a position is in a polygon. The edges are first sorted into slabs (ranges of latitude), so that each
 * search takes logarithmic time, unless edges cross each other.
 *
 * @module
 */
import { crossesEdge } from "./even-odd.ts";

/**
 * The edges number `start` to `end` (exclusive) of a polygon. An edge has four numbers in `edges`, in degrees: `lon1,
 * lat1, lon2, lat2`.
 */
export interface Edges {
  readonly edges: Float64Array;
  readonly start: number;
  readonly end: number;
}

/**
 * A segment tree over slabs. Each node lists the edges that span all its latitudes, but not those of its parent. Each
 * slab lists the edges that end between its bounds, and each bound those with their upper end on it.
 */
export interface EdgeSlabs {
  readonly edges: Float64Array;
  /** A power of two. Node 1 is the root, 2i and 2i + 1 are below i, slab s is node `slabs + s`. */
  readonly slabs: number;
  /** Latitudes between slabs, ascending: one more than slabs. */
  readonly bounds: Float64Array;
  /**
   * List i is `items[starts[i]]` to `items[starts[i + 1]]`, exclusive: `2 * slabs` lists of nodes, then one for each
   * slab, then one for each bound.
   */
  readonly starts: Int32Array;
  /** Numbers of edges. */
  readonly items: Int32Array;
  /** For each node `SORTED` or `UNSORTED`. */
  readonly orders: Uint8Array;
}

/** Where a position is: inside an area, on one of its edges, or outside. */
export type Side = "inside" | "edge" | "outside";

/** Ends in a slab, on average. */
const ENDS_PER_SLAB = 32;

/** Shorter lists are not sorted. */
const FEW_EDGES = 16;

/** The long list of a node is sorted from west to east, unless its edges cross. */
const UNSORTED = 0;
const SORTED = 1;

/** Edges this close to a position are tested one by one. Rounding of a longitude on an edge is much smaller. */
const CLOSE_DEG = 1e-9;
/** After rounding, edges that meet in a corner may cross by this much. */
const ROUNDED_DEG = 1e-10;

/** Gets a number of compared edges. */
type Spend = (edges: number) => void;
const nothingSpent: Spend = () => {};

/**
 * Sorts the edges of a polygon into slabs of latitude, for `sideOf`. Calls `spend` with numbers of edges that are
 * looked at, as a measure of the work.
 */
export function makeSlabs({ edges, start, end }: Edges, spend = nothingSpent): EdgeSlabs {
  spend(end - start);
  const slabs = 2 ** Math.max(0, Math.ceil(Math.log2((2 * (end - start)) / ENDS_PER_SLAB)));
  const bounds = boundsOf({ edges, start, end }, slabs);
  const starts = new Int32Array(4 * slabs + 2);
  const shape = { edges, slabs, bounds };
  for (let edge = start; edge < end; edge++) eachList(shape, edge, (list) => (starts[list + 1] as number)++);
  for (let list = 0; list < starts.length - 1; list++) (starts[list + 1] as number) += starts[list] as number;
  const items = new Int32Array(starts[starts.length - 1] as number);
  const next = starts.slice();
  for (let edge = start; edge < end; edge++) {
    eachList(shape, edge, (list) => {
      items[(next[list] as number)++] = edge;
    });
  }
  const tree = { ...shape, starts, items, orders: new Uint8Array(2 * slabs) };
  for (let node = 1; node < 2 * slabs; node++) sortNode(tree, node, spend);
  return tree;
}

/**
 * Returns the same as `sideOf` for a position in degrees, without slabs. It tests all edges, which is faster for a
 * polygon with few edges.
 */
export function sideOfFew({ edges, start, end }: Edges, lon: number, lat: number, spend = nothingSpent): Side {
  spend(end - start);
  let crossings = 0;
  for (let edge = start; edge < end; edge++) {
    const more = crossingOf(edges, edge, lon, lat);
    if (more < 0) return "edge";
    crossings += more;
  }
  return crossings % 2 === 1 ? "inside" : "outside";
}

/**
 * Returns whether a position (degrees) is inside, outside or on an edge of the polygon, by the even-odd rule for edges
 * that are straight in longitude and latitude. Calls `spend` as `makeSlabs` does.
 */
export function sideOf(tree: EdgeSlabs, lon: number, lat: number, spend = nothingSpent): Side {
  const { slabs, bounds } = tree;
  if (!(lat >= at(bounds, 0) && lat <= at(bounds, slabs))) return "outside";
  const bound = lastUpTo(bounds, lat);
  if (at(bounds, bound) === lat && isOnAny(tree, 3 * slabs + bound, lon, lat, spend)) return "edge";
  // An edge includes its lower end, but not its upper end.
  if (bound === slabs) return "outside";
  let crossings = countOf(tree, 2 * slabs + bound, lon, lat, spend);
  for (let node = slabs + bound; node >= 1 && crossings >= 0; node >>= 1) {
    const more = countAtNode(tree, node, lon, lat, spend);
    crossings = more < 0 ? more : crossings + more;
  }
  if (crossings < 0) return "edge";
  return crossings % 2 === 1 ? "inside" : "outside";
}

/** Returned instead of a number of crossings. */
const ON_EDGE = -1;

/** Number of edges in a list that a ray eastward crosses. */
function countOf(tree: EdgeSlabs, list: number, lon: number, lat: number, spend: Spend): number {
  const [first, last] = [at(tree.starts, list), at(tree.starts, list + 1)];
  spend(last - first);
  return countBetween(tree, first, last, lon, lat);
}

function countBetween({ edges, items }: EdgeSlabs, first: number, last: number, lon: number, lat: number): number {
  let crossings = 0;
  for (let i = first; i < last; i++) {
    const more = crossingOf(edges, at(items, i), lon, lat);
    if (more < 0) return ON_EDGE;
    crossings += more;
  }
  return crossings;
}

/** 1 if a ray eastward crosses the edge, otherwise 0. */
function crossingOf(edges: Float64Array, edge: number, lon: number, lat: number): number {
  const i = 4 * edge;
  const [x1, y1, x2, y2] = [at(edges, i), at(edges, i + 1), at(edges, i + 2), at(edges, i + 3)];
  if (isOnEdge(lon, lat, x1, y1, x2, y2)) return ON_EDGE;
  return crossesEdge(lon, lat, x1, y1, x2, y2) ? 1 : 0;
}

function countAtNode(tree: EdgeSlabs, node: number, lon: number, lat: number, spend: Spend): number {
  const [first, last] = [at(tree.starts, node), at(tree.starts, node + 1)];
  if (tree.orders[node] === UNSORTED) return countOf(tree, node, lon, lat, spend);
  const west = firstEastOf(tree, lon - CLOSE_DEG, lat, first, last);
  const east = firstEastOf(tree, lon + CLOSE_DEG, lat, west, last);
  spend(2 * Math.ceil(Math.log2(last - first)) + east - west);
  const close = countBetween(tree, west, east, lon, lat);
  return close < 0 ? close : close + last - east;
}

/** The index of the first sorted item east of the longitude. */
function firstEastOf({ edges, items }: EdgeSlabs, lon: number, lat: number, first: number, last: number): number {
  let [low, high] = [first, last];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lonAt(edges, at(items, middle), lat) > lon) high = middle;
    else low = middle + 1;
  }
  return low;
}

function sortNode({ edges, slabs, bounds, starts, items, orders }: EdgeSlabs, node: number, spend: Spend): void {
  const list = items.subarray(at(starts, node), at(starts, node + 1));
  if (list.length <= FEW_EDGES) return;
  spend(list.length * Math.ceil(Math.log2(list.length)));
  let [first, last] = [node, node];
  while (first < slabs) [first, last] = [2 * first, 2 * last + 1];
  const [south, north] = [at(bounds, first - slabs), at(bounds, last - slabs + 1)];
  const ends = Array.from(list, (edge) => ({
    edge,
    south: lonAt(edges, edge, south),
    north: lonAt(edges, edge, north),
  }));
  ends.sort((a, b) => a.south + a.north - (b.south + b.north));
  let [mostSouth, mostNorth] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isCrossed = false;
  for (const [index, end] of ends.entries()) {
    list[index] = end.edge;
    isCrossed ||= end.south < mostSouth - ROUNDED_DEG || end.north < mostNorth - ROUNDED_DEG;
    [mostSouth, mostNorth] = [Math.max(mostSouth, end.south), Math.max(mostNorth, end.north)];
  }
  orders[node] = isCrossed ? UNSORTED : SORTED;
}

/** Latitudes that divide the edge ends into equal parts. */
function boundsOf({ edges, start, end }: Edges, slabs: number): Float64Array {
  const lats = new Float64Array(2 * (end - start));
  for (let i = 0; i < lats.length; i++) lats[i] = at(edges, 4 * start + 2 * i + 1);
  lats.sort();
  return Float64Array.from({ length: slabs + 1 }, (_, i) => lats[Math.floor((i * (lats.length - 1)) / slabs)] ?? 0);
}

/** Yields the lists that an edge belongs to. */
function eachList(
  { edges, slabs, bounds }: Pick<EdgeSlabs, "edges" | "slabs" | "bounds">,
  edge: number,
  add: (list: number) => void,
): void {
  const [y1, y2] = [at(edges, 4 * edge + 1), at(edges, 4 * edge + 3)];
  const [low, high] = [Math.min(y1, y2), Math.max(y1, y2)];
  const last = lastUpTo(bounds, high);
  const before = lastUpTo(bounds, low);
  const isLowBound = at(bounds, before) === low;
  if (at(bounds, last) === high) add(3 * slabs + last);
  else add(2 * slabs + last);
  if (!isLowBound && before !== last) add(2 * slabs + before);
  // From the leaves upwards.
  let left = slabs + (isLowBound ? before : before + 1);
  let right = slabs + last;
  for (; left < right; left >>= 1, right >>= 1) {
    if (left % 2 === 1) add(left++);
    if (right % 2 === 1) add(--right);
  }
}

/** The last bound at or below the latitude. */
function lastUpTo(bounds: Float64Array, lat: number): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(bounds, middle) > lat) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

function isOnAny({ edges, starts, items }: EdgeSlabs, list: number, lon: number, lat: number, spend: Spend): boolean {
  const [first, last] = [at(starts, list), at(starts, list + 1)];
  spend(last - first);
  return items.subarray(first, last).some((item) => {
    const edge = 4 * item;
    return isOnEdge(lon, lat, at(edges, edge), at(edges, edge + 1), at(edges, edge + 2), at(edges, edge + 3));
  });
}

function isOnEdge(x: number, y: number, x1: number, y1: number, x2: number, y2: number): boolean {
  if (y < Math.min(y1, y2) || y > Math.max(y1, y2) || x < Math.min(x1, x2) || x > Math.max(x1, x2)) return false;
  return (x2 - x1) * (y - y1) === (y2 - y1) * (x - x1);
}

/** Longitude of an edge at a latitude between its ends. */
function lonAt(edges: Float64Array, edge: number, lat: number): number {
  const [x1, y1, x2, y2] = [
    at(edges, 4 * edge),
    at(edges, 4 * edge + 1),
    at(edges, 4 * edge + 2),
    at(edges, 4 * edge + 3),
  ];
  return ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1;
}

/** Reads an index that the caller knows to be in range. */
function at(numbers: Float64Array | Int32Array, index: number): number {
  return numbers[index] as number;
}

/**
 * The edges of polygons in stripes of latitude: what lies at a latitude is tested against a few of them.
 * @module
 */
import { crossesEdge } from "./even-odd.ts";

/** Edges, four numbers each: `lon1, lat1, lon2, lat2`, from `start` (inclusive) to `end` (exclusive), within two latitudes. */
export interface Edges {
  readonly edges: Float64Array;
  readonly start: number;
  readonly end: number;
  readonly south: number;
  readonly north: number;
}

export interface EdgeStripes {
  readonly edges: Float64Array;
  /** Edges of stripe i: `items[starts[i]]` to `items[starts[i + 1]]`, exclusive. An edge is in each that it touches. */
  readonly starts: Int32Array;
  readonly items: Int32Array;
  readonly south: number;
  readonly height: number;
}

export type Side = "inside" | "edge" | "outside";

/** Edges in a stripe, on average: fewer make more stripes without less work. */
const EDGES_PER_STRIPE = 8;

export function makeStripes({ edges, start, end, south, north }: Edges): EdgeStripes {
  const count = Math.max(1, Math.ceil((end - start) / EDGES_PER_STRIPE));
  const height = (north - south) / count || 1;
  const starts = new Int32Array(count + 1);
  const stripes = { edges, starts, south, height };
  const range = (edge: number): [first: number, last: number] => {
    const [a, b] = [edges[edge * 4 + 1] as number, edges[edge * 4 + 3] as number];
    return [stripeOf(Math.min(a, b), stripes), stripeOf(Math.max(a, b), stripes)];
  };
  const counts = new Int32Array(count);
  for (let edge = start; edge < end; edge++) {
    const [first, last] = range(edge);
    for (let i = first; i <= last; i++) (counts[i] as number)++;
  }
  for (let i = 0; i < count; i++) starts[i + 1] = (starts[i] as number) + (counts[i] as number);
  const items = new Int32Array(starts[count] as number);
  const next = starts.slice();
  for (let edge = start; edge < end; edge++) {
    const [first, last] = range(edge);
    for (let i = first; i <= last; i++) items[(next[i] as number)++] = edge;
  }
  return { ...stripes, items };
}

/** Where a position lies, by the even-odd rule, planar. */
export function sideOf(stripes: EdgeStripes, lon: number, lat: number): Side {
  const { edges, starts, items } = stripes;
  const stripe = stripeOf(lat, stripes);
  let isInside = false;
  for (let i = starts[stripe] as number; i < (starts[stripe + 1] as number); i++) {
    const at = (items[i] as number) * 4;
    const [x1, y1] = [edges[at] as number, edges[at + 1] as number];
    const [x2, y2] = [edges[at + 2] as number, edges[at + 3] as number];
    if (isOnEdge(lon, lat, x1, y1, x2, y2)) return "edge";
    if (crossesEdge(lon, lat, x1, y1, x2, y2)) isInside = !isInside;
  }
  return isInside ? "inside" : "outside";
}

/** Whether the test holds for an edge that may reach between the two latitudes; an edge may be tested more than once. */
export function someEdge(
  stripes: EdgeStripes,
  [south, north]: readonly [south: number, north: number],
  test: (x1: number, y1: number, x2: number, y2: number) => boolean,
): boolean {
  const { edges, starts, items } = stripes;
  const [first, last] = [stripeOf(south, stripes), stripeOf(north, stripes)];
  for (let i = starts[first] as number; i < (starts[last + 1] as number); i++) {
    const at = (items[i] as number) * 4;
    if (test(edges[at] as number, edges[at + 1] as number, edges[at + 2] as number, edges[at + 3] as number))
      return true;
  }
  return false;
}

function isOnEdge(x: number, y: number, x1: number, y1: number, x2: number, y2: number): boolean {
  if (x < Math.min(x1, x2) || x > Math.max(x1, x2) || y < Math.min(y1, y2) || y > Math.max(y1, y2)) return false;
  return (x2 - x1) * (y - y1) === (y2 - y1) * (x - x1);
}

function stripeOf(lat: number, { starts, south, height }: Pick<EdgeStripes, "starts" | "south" | "height">): number {
  return Math.max(0, Math.min(starts.length - 2, Math.floor((lat - south) / height)));
}

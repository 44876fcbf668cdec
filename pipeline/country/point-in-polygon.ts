/**
 * Exact point in polygon against few edges: those of the latitude stripe that the point lies in.
 * @module
 */
import type { OutlinePolygon, Outlines } from "./outlines.ts";

export type Side = "inside" | "edge" | "outside";

interface Stripes {
  /** Edges of stripe i: `items[starts[i]]` to `items[starts[i + 1]]`, exclusive. */
  readonly starts: Int32Array;
  readonly items: Int32Array;
  readonly height: number;
}

/** Edges in a stripe, on average: fewer make more stripes without less work. */
const EDGES_PER_STRIPE = 8;

/** A test whether a position lies in a polygon of the outlines, by the even-odd rule, planar. */
export function pointInPolygon(outlines: Outlines): (polygon: number, lon: number, lat: number) => Side {
  const { edges, polygons } = outlines;
  const stripes = new Map<number, Stripes>();
  return (index, lon, lat) => {
    const polygon = polygons[index] as OutlinePolygon;
    if (lon < polygon.west || lon > polygon.east || lat < polygon.south || lat > polygon.north) return "outside";
    let mine = stripes.get(index);
    if (!mine) {
      mine = makeStripes(edges, polygon);
      stripes.set(index, mine);
    }
    const stripe = stripeOf(lat, polygon.south, mine);
    let isInside = false;
    for (let i = mine.starts[stripe] as number; i < (mine.starts[stripe + 1] as number); i++) {
      const at = (mine.items[i] as number) * 4;
      const [x1, y1] = [edges[at] as number, edges[at + 1] as number];
      const [x2, y2] = [edges[at + 2] as number, edges[at + 3] as number];
      if (isOnEdge(lon, lat, x1, y1, x2, y2)) return "edge";
      if (y1 > lat !== y2 > lat && lon < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1) isInside = !isInside;
    }
    return isInside ? "inside" : "outside";
  };
}

function isOnEdge(x: number, y: number, x1: number, y1: number, x2: number, y2: number): boolean {
  if (x < Math.min(x1, x2) || x > Math.max(x1, x2) || y < Math.min(y1, y2) || y > Math.max(y1, y2)) return false;
  return (x2 - x1) * (y - y1) === (y2 - y1) * (x - x1);
}

function stripeOf(lat: number, south: number, { starts, height }: Stripes): number {
  return Math.max(0, Math.min(starts.length - 2, Math.floor((lat - south) / height)));
}

function makeStripes(edges: Float64Array, { start, end, south, north }: OutlinePolygon): Stripes {
  const count = Math.max(1, Math.ceil((end - start) / EDGES_PER_STRIPE));
  const height = (north - south) / count || 1;
  const stripes = { starts: new Int32Array(count + 1), items: new Int32Array(0), height };
  const range = (edge: number): [first: number, last: number] => {
    const [a, b] = [edges[edge * 4 + 1] as number, edges[edge * 4 + 3] as number];
    return [stripeOf(Math.min(a, b), south, stripes), stripeOf(Math.max(a, b), south, stripes)];
  };
  const counts = new Int32Array(count);
  for (let edge = start; edge < end; edge++) {
    const [first, last] = range(edge);
    for (let i = first; i <= last; i++) (counts[i] as number)++;
  }
  for (let i = 0; i < count; i++) stripes.starts[i + 1] = (stripes.starts[i] as number) + (counts[i] as number);
  const items = new Int32Array(stripes.starts[count] as number);
  const next = stripes.starts.slice();
  for (let edge = start; edge < end; edge++) {
    const [first, last] = range(edge);
    for (let i = first; i <= last; i++) items[(next[i] as number)++] = edge;
  }
  return { ...stripes, items };
}

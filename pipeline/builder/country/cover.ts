import { type EdgeSlabs, makeSlabs, type Side, sideOf } from "../../../data/format/edge-slabs.ts";
import { encodeGeohash, GEOHASH_BITS } from "../../../data/format/geohash.ts";
import type { Position } from "../../../data/format/geometry.ts";
import type { OutlinePolygon, Outlines } from "./outlines.ts";

/** Border cells are at most 5 km wide: about 600,000 of them follow all coasts and borders of the world. */
const COVER_BITS = 26;

/** Testing this many edges takes as long as finding a finer cell. */
const FEW_EDGES = 32;

/** Rounding may put a position at a cell's edge into the adjacent cell. */
const PADDING_DEG = 1e-11;

interface Border {
  readonly around: readonly number[];
  readonly polygons: readonly number[];
}

type Cell = number | Border | undefined;

interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** A cell of the world, computed when the first position falls into it. The rows of a town need only a few cells. */
interface Part {
  /** Length of its geohash. */
  readonly bits: number;
  readonly box: Box;
  /** Outlines that contain the whole cell. */
  readonly around: readonly number[];
  /** Edges that cross the parent cell. */
  readonly edges: Int32Array;
}

/** Marks a cell of the tree that is not computed yet. Other values point to the cell's two halves. */
const UNSEEN = 0;
const DECIDED = -1;

/**
 * Returns a function that finds the code of the outline that contains a position `[longitude, latitude]` in degrees;
 * undefined if there is none. Of several outlines, the one with the smallest area wins, then the lowest code. On an
 * edge and inside no outline, the lowest code of the edges' outlines wins.
 */
export function coverOutlines(outlines: Outlines): (position: Position) => string | undefined {
  const { codes, areas, polygons, edges, polygonOfEdge } = outlines;
  const test = pointInPolygon(outlines);

  const byCode = (a: number, b: number): number => ((codes[a] ?? "") < (codes[b] ?? "") ? -1 : 1);
  const byArea = (a: number, b: number): number => (areas[a] ?? 0) - (areas[b] ?? 0) || byCode(a, b);
  const smallest = (list: readonly number[]): number | undefined => [...list].sort(byArea)[0];
  const outlineOf = (polygon: number): number => (polygons[polygon] as OutlinePolygon).outline;

  function decide(around: readonly number[], border: readonly number[]): Cell {
    const best = smallest(around);
    if (best === undefined) return border.length === 0 ? undefined : { around, polygons: border };
    const open = border.filter((polygon) => byArea(outlineOf(polygon), best) < 0);
    return open.length === 0 ? best : { around, polygons: open };
  }

  const world = { west: -180, south: -90, east: 180, north: 90 };
  const every = Int32Array.from(polygonOfEdge, (_, edge) => edge);
  // A binary tree: the two halves of a cell are adjacent.
  const tree: number[] = [UNSEEN];
  const parts: (Part | undefined)[] = [{ bits: 0, box: world, around: [], edges: every }];
  const cells: Cell[] = [undefined];

  function look(at: number): number {
    const { bits, box, around, edges: parent } = parts[at] as Part;
    parts[at] = undefined;
    const inside = parent.filter((edge) => crosses(edges, edge * 4, box));
    const border = distinct(inside, polygonOfEdge);
    const left = [...distinct(parent, polygonOfEdge)].filter((polygon) => !border.has(polygon));
    const [lon, lat] = [(box.west + box.east) / 2, (box.south + box.north) / 2];
    const holding = left.filter((polygon) => test(polygon, lon, lat) === "inside").map(outlineOf);
    const all = holding.length === 0 ? around : [...around, ...holding];
    const cell = decide(all, [...border]);
    if (typeof cell !== "object" || bits === COVER_BITS || inside.length <= FEW_EDGES) {
      cells[at] = cell;
      return DECIDED;
    }
    const isLon = bits % 2 === 0;
    for (const half of isLon ? [{ east: lon }, { west: lon }] : [{ north: lat }, { south: lat }]) {
      tree.push(UNSEEN);
      cells.push(undefined);
      parts.push({ bits: bits + 1, box: { ...box, ...half }, around: all, edges: inside });
    }
    return tree.length - 2;
  }

  function cellAt(geohash: number): Cell {
    const path = Math.floor(geohash / 2 ** (GEOHASH_BITS - COVER_BITS));
    let at = 0;
    for (let bit = COVER_BITS - 1; ; bit--) {
      if (tree[at] === UNSEEN) tree[at] = look(at);
      if (tree[at] === DECIDED) return cells[at];
      at = (tree[at] as number) + ((path >> bit) & 1);
    }
  }

  return ([lon, lat]) => {
    const cell = cellAt(encodeGeohash(lon, lat));
    if (cell === undefined) return undefined;
    if (typeof cell === "number") return codes[cell];
    const sides = cell.polygons.map((polygon) => ({ outline: outlineOf(polygon), side: test(polygon, lon, lat) }));
    const containing = sides.filter(({ side }) => side === "inside").map(({ outline }) => outline);
    const best = smallest([...cell.around, ...containing]);
    if (best !== undefined) return codes[best];
    const [touching] = sides
      .filter(({ side }) => side === "edge")
      .map(({ outline }) => outline)
      .sort(byCode);
    return touching === undefined ? undefined : codes[touching];
  };
}

function distinct(edges: Int32Array, polygonOfEdge: Int32Array): Set<number> {
  const found = new Set<number>();
  for (const edge of edges) found.add(polygonOfEdge[edge] as number);
  return found;
}

function crosses(edges: Float64Array, at: number, { west, south, east, north }: Box): boolean {
  const [x1, y1] = [edges[at] as number, edges[at + 1] as number];
  const [x2, y2] = [edges[at + 2] as number, edges[at + 3] as number];
  if (Math.max(x1, x2) < west - PADDING_DEG || Math.min(x1, x2) > east + PADDING_DEG) return false;
  if (Math.max(y1, y2) < south - PADDING_DEG || Math.min(y1, y2) > north + PADDING_DEG) return false;
  const [dx, dy] = [x2 - x1, y2 - y1];
  const centre = dx * ((south + north) / 2 - y1) - dy * ((west + east) / 2 - x1);
  const reach = (Math.abs(dx) * (north - south + PADDING_DEG) + Math.abs(dy) * (east - west + PADDING_DEG)) / 2;
  return Math.abs(centre) <= reach;
}

/** Tests with the planar even-odd rule whether a position is in a polygon. */
function pointInPolygon({ edges, polygons }: Outlines): (polygon: number, lon: number, lat: number) => Side {
  const slabs = new Map<number, EdgeSlabs>();
  return (index, lon, lat) => {
    const polygon = polygons[index] as OutlinePolygon;
    if (lon < polygon.west || lon > polygon.east || lat < polygon.south || lat > polygon.north) return "outside";
    const mine = slabs.get(index) ?? makeSlabs({ edges, ...polygon });
    slabs.set(index, mine);
    return sideOf(mine, lon, lat);
  };
}

/**
 * Tests whether positions, boxes and geometries intersect an area.
 * @module
 */
import Flatbush from "flatbush";
import { type Area, AreaTooLargeError } from "./area.ts";
import { type BBox, splitAtAntimeridian } from "./bbox.ts";
import { type EdgeSlabs, type Edges, makeSlabs, type Side, sideOf, sideOfFew } from "./edge-slabs.ts";
import { isInRing } from "./even-odd.ts";
import type { Position } from "./geometry.ts";
import { createPathReader, type PathKind } from "./wkb-paths.ts";

/** Tests which positions, boxes and geometries meet one area. */
export interface AreaTest {
  /** Southern and northern limits in degrees. */
  readonly south: number;
  readonly north: number;
  /** True if the area and the box share a position. */
  reaches(box: BBox): boolean;
  /** True if the box is completely inside. */
  holds(box: BBox): boolean;
  /** True if the position, in degrees, is inside or on an edge. */
  contains(lon: number, lat: number): boolean;
  /** True if the area and a WKB or TWKB geometry share a position. */
  intersects(wkb: Uint8Array): boolean;
  /**
   * Makes the index of the edges, with a yield after each part of some milliseconds. A test makes the parts of the index
   * that it needs and that are missing.
   */
  prepare(): Generator<void>;
}

/** Cost of an area's tests so far, and its limit. Above it they throw `AreaTooLargeError`. */
export interface AreaWork {
  /** Comparisons with edges of the area, and of paths with its corners. */
  comparisons: number;
  most: number;
}

/** Consecutive edges and their box. */
interface Piece extends Edges {
  readonly bbox: BBox;
}

/** One polygon of an area. */
interface Part extends Piece {
  /** A position of its outer ring. */
  readonly corner: Position;
  /** Its edges: of many, each piece has its own slabs, and a ray crosses the edges of all pieces together. */
  readonly pieces: readonly Piece[];
}

type EdgeCheck = (x1: number, y1: number, x2: number, y2: number) => boolean;

/** The longitudes of area and geometry may differ by full turns, so all possible turns are tried. */
const TURNS_DEG = [-360, 0, 360];

/** The cost of a search in the tree of edges that finds no edge. */
const TREE_COMPARISONS = 16;

/** Edges of a piece: their index takes some milliseconds. */
const EDGES_AT_A_TIME = 16_384;

/** Edges of a large polygon at least. Those of smaller ones are compared one by one. */
const FEW_EDGES = 32;

/**
 * Returns tests of positions, boxes and geometries against the area. Make them once, and use them for many rows. They
 * add their cost to `work`, and throw `AreaTooLargeError` when it exceeds `work.most`.
 */
export function createAreaTest(area: Area, work: AreaWork = { comparisons: 0, most: Infinity }): AreaTest {
  const parts = partsOf(area);
  const edges = parts[0]?.edges ?? new Float64Array();
  const partBoxes = boxTree(parts.length, (index) => (parts[index] as Part).bbox);
  const trees = createTrees(piecesOf({ edges, start: 0, end: edges.length / 4 }), spend);
  const sides = createSides(spend);

  function spend(comparisons: number): void {
    work.comparisons += comparisons;
    if (work.comparisons > work.most) {
      throw new AreaTooLargeError(
        `an area of ${edges.length / 4} edges takes more than ${work.most} comparisons: simplify its outline, or search in a part of it`,
      );
    }
  }

  /** True if the test holds for a turn in which the box can intersect the area. */
  function someTurn([west, , east]: BBox, test: (turnDeg: number) => boolean): boolean {
    for (const turn of TURNS_DEG) {
      if (partBoxes && west + turn <= partBoxes.maxX && east + turn >= partBoxes.minX && test(turn)) return true;
    }
    return false;
  }

  /** True if the test holds for a part, by index, and a turn in which the part's box intersects this one. */
  function someNear(box: BBox, test: (index: number, turnDeg: number) => boolean): boolean {
    const [west, south, east, north] = box;
    return someTurn(
      box,
      (turn) => partBoxes?.collides(west + turn, south, east + turn, north, (index) => test(index, turn)) ?? false,
    );
  }

  function contains(lon: number, lat: number): boolean {
    return someNear([lon, lat, lon, lat], (index, turn) => {
      return sides.sideOf(parts[index] as Part, lon + turn, lat) !== "outside";
    });
  }

  function* prepare(): Generator<void> {
    yield* trees.prepare();
    yield* sides.prepare(parts);
  }

  function hasEdgeIn(box: BBox): boolean {
    return someTurn(box, (turn) => {
      const near: BBox = [box[0] + turn, box[1], box[2] + turn, box[3]];
      return trees.someEdge(near, (x1, y1, x2, y2) => meetsBox(near, x1, y1, x2, y2));
    });
  }

  /** True if a line shares a position with an edge. */
  function crosses(xy: Float64Array, count: number): boolean {
    return someTurn(boxOf(xy, 0, count), (turn) => {
      for (let i = 1; i < count; i++) {
        const [x1, y1] = [at(xy, 2 * i - 2) + turn, at(xy, 2 * i - 1)];
        const [x2, y2] = [at(xy, 2 * i) + turn, at(xy, 2 * i + 1)];
        const box: BBox = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
        if (trees.someEdge(box, (x3, y3, x4, y4) => doMeet(x1, y1, x2, y2, x3, y3, x4, y4))) return true;
      }
      return false;
    });
  }

  /** Calls `take` for each part and turn whose corner is in the ring. */
  function eachCornerIn(ring: Float64Array, count: number, take: (index: number, turnDeg: number) => void): void {
    someNear(boxOf(ring, 0, count), (index, turn) => {
      const { corner } = parts[index] as Part;
      spend(count);
      if (isInRing(ring, count, corner[0] - turn, corner[1])) take(index, turn);
      return false;
    });
  }

  return {
    south: partBoxes?.minY ?? Number.POSITIVE_INFINITY,
    north: partBoxes?.maxY ?? Number.NEGATIVE_INFINITY,
    contains,
    // A box without an edge of the area is completely inside or outside.
    reaches: (box) => splitAtAntimeridian(box).some((part) => hasEdgeIn(part) || contains(part[0], part[1])),
    holds: (box) => splitAtAntimeridian(box).every((part) => !hasEdgeIn(part) && contains(part[0], part[1])),
    intersects: createIntersects({ contains, crosses, eachCornerIn }),
    prepare,
  };
}

type Spend = (comparisons: number) => void;

interface EdgeTrees {
  /** True if the test holds for an edge whose box intersects this one. */
  readonly someEdge: (box: BBox, test: EdgeCheck) => boolean;
  /** Makes the trees that are missing, with a yield after each. */
  readonly prepare: () => Generator<void>;
}

/** A tree of the edges of each piece. It is made when a box meets the piece. */
function createTrees(pieces: readonly Piece[], spend: Spend): EdgeTrees {
  const boxes = boxTree(pieces.length, (index) => (pieces[index] as Piece).bbox);
  const trees = new Map<Piece, Flatbush>();

  function treeOf(piece: Piece): Flatbush {
    const known = trees.get(piece);
    if (known) return known;
    const { edges, start, end } = piece;
    spend(end - start);
    const made = boxTree(end - start, (index) =>
      boxOf(edges, 2 * (start + index), 2 * (start + index + 1)),
    ) as Flatbush;
    trees.set(piece, made);
    return made;
  }

  return {
    someEdge: ([west, south, east, north], test) => {
      const isMet = boxes?.collides(west, south, east, north, (index) => {
        const piece = pieces[index] as Piece;
        spend(TREE_COMPARISONS);
        return treeOf(piece).collides(west, south, east, north, (edge) => {
          spend(1);
          const i = 4 * (piece.start + edge);
          const { edges } = piece;
          return test(at(edges, i), at(edges, i + 1), at(edges, i + 2), at(edges, i + 3));
        });
      });
      return isMet ?? false;
    },
    *prepare() {
      for (const piece of pieces) {
        treeOf(piece);
        yield;
      }
    },
  };
}

interface Sides {
  /** The side of a part on which a position is. */
  readonly sideOf: (part: Part, lon: number, lat: number) => Side;
  /** Makes the slabs that are missing, with a yield after each part of some milliseconds. */
  readonly prepare: (parts: readonly Part[]) => Generator<void>;
}

/** Slabs of the edges of each piece. They are made when a position is tested. Small parts have none. */
function createSides(spend: Spend): Sides {
  const slabs = new Map<Piece, EdgeSlabs>();

  function slabsOf(piece: Piece): EdgeSlabs {
    const known = slabs.get(piece);
    if (known) return known;
    const made = makeSlabs(piece, spend);
    slabs.set(piece, made);
    return made;
  }

  return {
    sideOf: (part, lon, lat) => {
      if (isSmall(part)) return sideOfFew(part, lon, lat, spend);
      let isInside = false;
      for (const piece of part.pieces) {
        if (lon > piece.bbox[2]) continue;
        const side = sideOf(slabsOf(piece), lon, lat, spend);
        if (side === "edge") return side;
        if (side === "inside") isInside = !isInside;
      }
      return isInside ? "inside" : "outside";
    },
    *prepare(parts) {
      let made = 0;
      for (const piece of parts.flatMap((part) => (isSmall(part) ? [] : part.pieces))) {
        slabsOf(piece);
        made += piece.end - piece.start;
        if (made < EDGES_AT_A_TIME) continue;
        made = 0;
        yield;
      }
    },
  };
}

interface PathTests {
  contains(lon: number, lat: number): boolean;
  crosses(xy: Float64Array, count: number): boolean;
  eachCornerIn(ring: Float64Array, count: number, take: (index: number, turnDeg: number) => void): void;
}

function createIntersects({ contains, crosses, eachCornerIn }: PathTests): (wkb: Uint8Array) => boolean {
  let isMet = false;
  /** Corners of the area found inside the polygon, by part and turn. */
  const inside = new Set<string>();

  function settlePolygon(): void {
    if (inside.size > 0) isMet = true;
    inside.clear();
  }

  function take(kind: PathKind, xy: Float64Array, count: number): void {
    if (kind !== "inner") settlePolygon();
    if (isMet) return;
    isMet = contains(at(xy, 0), at(xy, 1)) || (kind !== "point" && crosses(xy, count));
    if (isMet || kind === "point" || kind === "line") return;
    eachCornerIn(xy, count, (index, turn) => {
      const key = `${index} ${turn}`;
      if (!inside.delete(key)) inside.add(key);
    });
  }

  const readPaths = createPathReader(take);
  return (wkb) => {
    isMet = false;
    inside.clear();
    readPaths(wkb);
    settlePolygon();
    return isMet;
  };
}

/** The polygons of an area with their edges, all in one list. */
function partsOf(area: Area): Part[] {
  const polygons = area.type === "Polygon" ? [area.coordinates] : area.coordinates;
  const edges = new Float64Array(4 * polygons.reduce((sum, rings) => sum + edgesIn(rings), 0));
  const parts: Part[] = [];
  let end = 0;
  for (const rings of polygons) {
    const corner = rings[0]?.[0];
    if (!corner || edgesIn(rings) === 0) continue;
    const start = end;
    for (const ring of rings) {
      for (let i = 1; i < ring.length; i++) {
        const [from, to] = [ring[i - 1] as Position, ring[i] as Position];
        edges[4 * end] = from[0];
        edges[4 * end + 1] = from[1];
        edges[4 * end + 2] = to[0];
        edges[4 * end + 3] = to[1];
        end++;
      }
    }
    parts.push({ ...pieceOf({ edges, start, end }), corner, pieces: piecesOf({ edges, start, end }) });
  }
  return parts;
}

/** Cuts the edges into pieces that take some milliseconds each. */
function piecesOf({ edges, start, end }: Edges): Piece[] {
  const count = Math.ceil((end - start) / EDGES_AT_A_TIME);
  return Array.from({ length: count }, (_, i) => {
    const first = start + i * EDGES_AT_A_TIME;
    return pieceOf({ edges, start: first, end: Math.min(end, first + EDGES_AT_A_TIME) });
  });
}

function pieceOf({ edges, start, end }: Edges): Piece {
  return { edges, start, end, bbox: boxOf(edges, 2 * start, 2 * end) };
}

function isSmall({ start, end }: Edges): boolean {
  return end - start < FEW_EDGES;
}

function edgesIn(rings: readonly (readonly Position[])[]): number {
  return rings.reduce((sum, ring) => sum + Math.max(0, ring.length - 1), 0);
}

/** A tree of boxes; undefined if the count is 0. */
function boxTree(count: number, boxAt: (index: number) => BBox): Flatbush | undefined {
  if (count === 0) return undefined;
  const tree = new Flatbush(count);
  for (let i = 0; i < count; i++) tree.add(...boxAt(i));
  tree.finish();
  return tree;
}

/** The box of the positions from `start` to `end` (exclusive). */
function boxOf(xy: Float64Array, start: number, end: number): BBox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 2 * start; i < 2 * end; i += 2) {
    west = Math.min(west, at(xy, i));
    east = Math.max(east, at(xy, i));
    south = Math.min(south, at(xy, i + 1));
    north = Math.max(north, at(xy, i + 1));
  }
  return [west, south, east, north];
}

/** True if two segments share a position, ends included. */
function doMeet(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
  x4: number,
  y4: number,
): boolean {
  if (Math.max(x1, x2) < Math.min(x3, x4) || Math.max(x3, x4) < Math.min(x1, x2)) return false;
  if (Math.max(y1, y2) < Math.min(y3, y4) || Math.max(y3, y4) < Math.min(y1, y2)) return false;
  // If the boxes intersect, the segments do too, unless one is on one side of the other's line.
  const [side3, side4] = [turnOf(x1, y1, x2, y2, x3, y3), turnOf(x1, y1, x2, y2, x4, y4)];
  const [side1, side2] = [turnOf(x3, y3, x4, y4, x1, y1), turnOf(x3, y3, x4, y4, x2, y2)];
  return Math.sign(side3) * Math.sign(side4) <= 0 && Math.sign(side1) * Math.sign(side2) <= 0;
}

/** Positive if the third position is left of the line from the first to the second. */
function turnOf(x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): number {
  return (x2 - x1) * (y3 - y1) - (y2 - y1) * (x3 - x1);
}

/** True if a segment has a position in the box, edges included. */
function meetsBox([west, south, east, north]: BBox, x1: number, y1: number, x2: number, y2: number): boolean {
  if (Math.max(x1, x2) < west || Math.min(x1, x2) > east) return false;
  if (Math.max(y1, y2) < south || Math.min(y1, y2) > north) return false;
  const sides = [
    turnOf(x1, y1, x2, y2, west, south),
    turnOf(x1, y1, x2, y2, east, south),
    turnOf(x1, y1, x2, y2, east, north),
    turnOf(x1, y1, x2, y2, west, north),
  ];
  return Math.min(...sides) <= 0 && Math.max(...sides) >= 0;
}

/** Reads an index that the caller knows to be in range. */
function at(numbers: Float64Array, index: number): number {
  return numbers[index] as number;
}

/**
 * Areas: polygons that searches look into. Planar, in longitude and latitude; edges and corners belong to an area.
 * @module
 */

import { type BBox, boxRing, splitAtAntimeridian } from "./bbox.ts";
import { type EdgeStripes, makeStripes, sideOf, someEdge } from "./edge-stripes.ts";
import { isInRing } from "./even-odd.ts";
import type { Geometry, Position } from "./geometry.ts";
import { createPathReader, type PathKind } from "./wkb-paths.ts";

/** Longitudes may run on beyond 180 or -180, so that a ring over the antimeridian stays whole. */
export type Area = Extract<Geometry, { readonly type: "Polygon" | "MultiPolygon" }>;

export interface AreaTest {
  /** Degrees; nothing of the area lies beyond. */
  readonly south: number;
  readonly north: number;
  /** Whether the area and the box have a position in common. */
  reaches(box: BBox): boolean;
  /** Whether all of the box lies inside. */
  holds(box: BBox): boolean;
  contains(lon: number, lat: number): boolean;
  /** Whether the area and a WKB or TWKB geometry have a position in common. */
  intersects(wkb: Uint8Array): boolean;
}

/** One polygon of an area. */
interface Part {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly stripes: EdgeStripes;
  /** A position of its outer ring. */
  readonly corner: Position;
}

/** The area's longitudes are in one turn of the globe, those of a geometry in another: all that can meet are tried. */
const TURNS_DEG = [-360, 0, 360];

/** The box as an area; one that crosses the antimeridian runs on beyond 180. */
export function areaOfBox(box: BBox): Area {
  return { type: "Polygon", coordinates: [boxRing(box)] };
}

/** Tests for many boxes and geometries. */
export function createAreaTest(area: Area): AreaTest {
  const polygons = area.type === "Polygon" ? [area.coordinates] : area.coordinates;
  const parts = polygons.flatMap(partOf);

  /** Whether the test holds for a part and a turn in which the part's box meets this one. */
  const someNear = ([west, south, east, north]: BBox, test: (part: Part, turnDeg: number) => boolean): boolean =>
    parts.some((part) => {
      if (south > part.north || north < part.south) return false;
      return TURNS_DEG.some((turn) => west + turn <= part.east && east + turn >= part.west && test(part, turn));
    });
  const contains = (lon: number, lat: number) =>
    someNear([lon, lat, lon, lat], ({ stripes }, turn) => sideOf(stripes, lon + turn, lat) !== "outside");
  const hasEdgeIn = (box: BBox) =>
    someNear(box, ({ stripes }, turn) => {
      const turned: BBox = [box[0] + turn, box[1], box[2] + turn, box[3]];
      return someEdge(stripes, [box[1], box[3]], (x1, y1, x2, y2) => meetsBox(turned, x1, y1, x2, y2));
    });

  return {
    south: parts.reduce((least, { south }) => Math.min(least, south), Infinity),
    north: parts.reduce((most, { north }) => Math.max(most, north), -Infinity),
    contains,
    reaches: (box) => splitAtAntimeridian(box).some((part) => contains(part[0], part[1]) || hasEdgeIn(part)),
    holds: (box) => splitAtAntimeridian(box).every((part) => contains(part[0], part[1]) && !hasEdgeIn(part)),
    intersects: createIntersects(someNear),
  };
}

function createIntersects(
  someNear: (box: BBox, test: (part: Part, turnDeg: number) => boolean) => boolean,
): (wkb: Uint8Array) => boolean {
  let isMet = false;
  /** Corners of the area that lie in the geometry's polygon at hand, by part and turn. */
  const held = new Set<string>();
  const ids = new Map<Part, number>();

  function settlePolygon(): void {
    if (held.size > 0) isMet = true;
    held.clear();
  }

  function take(kind: PathKind, xy: Float64Array, count: number): void {
    if (kind !== "inner") settlePolygon();
    if (isMet) return;
    isMet = someNear(boxOf(xy, count), (part, turn) => {
      if (sideOf(part.stripes, at(xy, 0) + turn, at(xy, 1)) !== "outside") return true;
      if (kind === "point") return false;
      if (crosses(part.stripes, xy, count, turn)) return true;
      if (kind !== "line" && isInRing(xy, count, part.corner[0] - turn, part.corner[1])) {
        const id = ids.get(part) ?? ids.size;
        ids.set(part, id);
        const key = `${id} ${turn}`;
        if (!held.delete(key)) held.add(key);
      }
      return false;
    });
  }

  const readPaths = createPathReader(take);
  return (wkb) => {
    isMet = false;
    held.clear();
    readPaths(wkb);
    settlePolygon();
    return isMet;
  };
}

function partOf(rings: readonly (readonly Position[])[]): Part[] {
  const corner = rings[0]?.[0];
  if (!corner) return [];
  const count = rings.reduce((sum, ring) => sum + Math.max(0, ring.length - 1), 0);
  const edges = new Float64Array(4 * count);
  let offset = 0;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (const [index, [lon, lat]] of ring.entries()) {
      [west, south, east, north] = [
        Math.min(west, lon),
        Math.min(south, lat),
        Math.max(east, lon),
        Math.max(north, lat),
      ];
      const next = ring[index + 1];
      if (next) edges.set([lon, lat, ...next], offset);
      if (next) offset += 4;
    }
  }
  const stripes = makeStripes({ edges, start: 0, end: count, south, north });
  return [{ west, south, east, north, stripes, corner }];
}

function boxOf(xy: Float64Array, count: number): BBox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 2 * count; i += 2) {
    west = Math.min(west, at(xy, i));
    east = Math.max(east, at(xy, i));
    south = Math.min(south, at(xy, i + 1));
    north = Math.max(north, at(xy, i + 1));
  }
  return [west, south, east, north];
}

/** Whether a line, moved by the turn, shares a position with an edge. */
function crosses(stripes: EdgeStripes, xy: Float64Array, count: number, turnDeg: number): boolean {
  for (let i = 1; i < count; i++) {
    const [x1, y1] = [at(xy, 2 * i - 2) + turnDeg, at(xy, 2 * i - 1)];
    const [x2, y2] = [at(xy, 2 * i) + turnDeg, at(xy, 2 * i + 1)];
    const lats = [Math.min(y1, y2), Math.max(y1, y2)] as const;
    if (someEdge(stripes, lats, (x3, y3, x4, y4) => doMeet(x1, y1, x2, y2, x3, y3, x4, y4))) return true;
  }
  return false;
}

/** Whether two segments share a position, ends included. */
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
  // boxes meet: the segments do unless one lies on one side of the other's line
  const [side3, side4] = [turnOf(x1, y1, x2, y2, x3, y3), turnOf(x1, y1, x2, y2, x4, y4)];
  const [side1, side2] = [turnOf(x3, y3, x4, y4, x1, y1), turnOf(x3, y3, x4, y4, x2, y2)];
  return Math.sign(side3) * Math.sign(side4) <= 0 && Math.sign(side1) * Math.sign(side2) <= 0;
}

/** Positive when the third position lies left of the line from the first to the second. */
function turnOf(x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): number {
  return (x2 - x1) * (y3 - y1) - (y2 - y1) * (x3 - x1);
}

/** Whether a segment has a position in the box, edges included. */
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

/** The number at an index the caller knows to be in range. */
function at(numbers: Float64Array, index: number): number {
  return numbers[index] as number;
}

/** More corners than the most winding outline of a country has. */
const MAX_CORNERS = 500_000;

/** The area in a GeoJSON geometry or feature. Throws with what came where it is none. */
export function parseArea(value: unknown): Area {
  const { type, geometry } = membersOf(value);
  if (type === "Feature") return parseArea(geometry);
  const { coordinates } = membersOf(value);
  if (type === "Polygon") return checked({ type, coordinates: parseRings(coordinates) });
  if (type === "MultiPolygon")
    return checked({ type, coordinates: listOf(coordinates, "coordinates").map(parseRings) });
  throw new Error(`type must be Polygon, MultiPolygon, or Feature with one, got ${JSON.stringify(type) ?? "none"}`);
}

function checked(area: Area): Area {
  const rings = area.type === "Polygon" ? area.coordinates : area.coordinates.flat();
  const corners = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (corners === 0) throw new Error("coordinates must have a ring, got none");
  if (corners > MAX_CORNERS) throw new Error(`an area has at most ${MAX_CORNERS} corners, got ${corners}`);
  return area;
}

function parseRings(value: unknown): Position[][] {
  return listOf(value, "a polygon").map((ring) => {
    const positions = listOf(ring, "a ring").map(parsePosition);
    const [first, last] = [positions[0], positions.at(-1)];
    if (positions.length < 4 || first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
      throw new Error(`a ring has at least 4 positions, the last the same as the first, got ${positions.length}`);
    }
    return positions;
  });
}

function parsePosition(value: unknown): Position {
  const [lon, lat] = listOf(value, "a position");
  const isSound = typeof lon === "number" && typeof lat === "number" && Math.abs(lon) <= 360 && Math.abs(lat) <= 90;
  if (!isSound) throw new Error(`a position is [longitude, latitude] in degrees, got ${JSON.stringify(value)}`);
  return [lon, lat];
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${what} must be a list, got ${JSON.stringify(value) ?? "nothing"}`);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  throw new Error(`an object is wanted, got ${JSON.stringify(value) ?? "nothing"}`);
}

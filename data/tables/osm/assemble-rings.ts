/**
 * Polygons of a multipolygon relation, from the segments of its member ways. Roles are ignored: they are often wrong,
 * and the geometry shows which rings are holes.
 * @see https://wiki.openstreetmap.org/wiki/Relation:multipolygon
 * @module
 */
import type { Geometry, Position } from "../../format/geometry.ts";
import { GeometryFault, type RawGeometry } from "../raw-table.ts";

type PositionOf = (node: number) => Position | undefined;
type Ring = readonly Position[];

/**
 * Returns the polygons of a relation, given the node ids of each of its member ways. `positionOf` returns the position
 * of a node in degrees. Returns a fault if ways do not close, nodes are missing, or rings have no area.
 */
export function assembleRings(ways: readonly (readonly number[])[], positionOf: PositionOf): RawGeometry {
  const rings = ringsOf(ways);
  if (rings instanceof GeometryFault) return rings;
  const placed: Ring[] = [];
  for (const ring of rings) {
    const positions: Position[] = [];
    for (const node of ring) {
      const position = positionOf(node);
      if (!position) return new GeometryFault("nodes missing", `node ${node} is not in the file`);
      positions.push(position);
    }
    if (signedArea(positions) !== 0) placed.push(positions);
  }
  if (placed.length === 0) return new GeometryFault("empty geometry", "the rings have no area");
  return polygonsOf(placed);
}

/** Closed rings of node ids. Segments that two ways share are inside of the area, or an edge of two holes. */
function ringsOf(ways: readonly (readonly number[])[]): number[][] | GeometryFault {
  const segments = new Map<string, readonly [number, number]>();
  for (const way of ways) {
    for (const [index, end] of way.entries()) {
      const start = way[index - 1];
      if (start === undefined || start === end) continue;
      const key = start < end ? `${start} ${end}` : `${end} ${start}`;
      if (!segments.delete(key)) segments.set(key, [start, end]);
    }
  }
  const ends = new Map<number, number[]>();
  const link = (from: number, to: number) => {
    const known = ends.get(from);
    if (known) known.push(to);
    else ends.set(from, [to]);
  };
  for (const [start, end] of segments.values()) {
    link(start, end);
    link(end, start);
  }
  for (const [node, others] of ends)
    if (others.length % 2 !== 0) return new GeometryFault("ring not closed", `it is open at node ${node}`);
  const rings: number[][] = [];
  for (const start of ends.keys()) walk(start, ends, rings);
  return rings;
}

/** Follows unused segments. A part of the path that comes back to one of its nodes is a ring of its own. */
function walk(start: number, ends: Map<number, number[]>, rings: number[][]): void {
  const path = [start];
  const placeInPath = new Map([[start, 0]]);
  for (;;) {
    const from = path.at(-1) ?? start;
    const to = ends.get(from)?.pop();
    if (to === undefined) return;
    const back = ends.get(to) ?? [];
    back.splice(back.indexOf(from), 1);
    const at = placeInPath.get(to);
    if (at === undefined) {
      placeInPath.set(to, path.length);
      path.push(to);
      continue;
    }
    const ring = path.splice(at + 1);
    for (const node of ring) placeInPath.delete(node);
    if (ring.length > 1) rings.push([to, ...ring, to]);
  }
}

function signedArea(ring: Ring): number {
  const [x0, y0] = ring[0] ?? [0, 0];
  let area = 0;
  for (const [index, [x2, y2]] of ring.entries()) {
    const [x1, y1] = ring[index - 1] ?? [x0, y0];
    area += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  }
  return area / 2;
}

interface Nested {
  readonly ring: Ring;
  readonly area: number;
  readonly box: readonly [number, number, number, number];
  /** The smallest ring around it. */
  parent: Nested | undefined;
  depth: number;
}

/** Rings in rings: those at an even depth are outer ones, the others are holes of the ring around them. */
function polygonsOf(rings: readonly Ring[]): Geometry {
  const nested = rings
    .map((ring): Nested => ({ ring, area: Math.abs(signedArea(ring)), box: boxOf(ring), parent: undefined, depth: 0 }))
    .sort((a, b) => b.area - a.area);
  const polygons = new Map<Nested, Ring[]>();
  for (const [index, one] of nested.entries()) {
    for (let at = index - 1; at >= 0 && !one.parent; at--) {
      const other = nested[at];
      if (other && isInBox(one.box, other.box) && isInside(one.ring, other.ring)) one.parent = other;
    }
    one.depth = one.parent ? one.parent.depth + 1 : 0;
    const isHole = one.depth % 2 === 1;
    const turned = signedArea(one.ring) > 0 === isHole ? one.ring.toReversed() : one.ring;
    const outer = isHole && one.parent ? polygons.get(one.parent) : undefined;
    if (outer) outer.push(turned);
    else polygons.set(one, [turned]);
  }
  const parts = [...polygons.values()];
  const [only] = parts;
  return parts.length === 1 && only
    ? { type: "Polygon", coordinates: only }
    : { type: "MultiPolygon", coordinates: parts };
}

function boxOf(ring: Ring): Nested["box"] {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [lon, lat] of ring) {
    [west, south] = [Math.min(west, lon), Math.min(south, lat)];
    [east, north] = [Math.max(east, lon), Math.max(north, lat)];
  }
  return [west, south, east, north];
}

function isInBox(inner: Nested["box"], outer: Nested["box"]): boolean {
  return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];
}

/** Rings do not cross, so one position decides that is not on the other ring. */
function isInside(inner: Ring, outer: Ring): boolean {
  const shared = new Set(outer.map(([lon, lat]) => `${lon} ${lat}`));
  const free = inner.find(([lon, lat]) => !shared.has(`${lon} ${lat}`));
  if (free) return contains(outer, free);
  const [[x1, y1] = [0, 0], [x2, y2] = [0, 0]] = inner;
  return contains(outer, [(x1 + x2) / 2, (y1 + y2) / 2]);
}

function contains(ring: Ring, [x, y]: Position): boolean {
  let isIn = false;
  for (const [index, [x2, y2]] of ring.entries()) {
    const [x1, y1] = ring[index - 1] ?? [x2, y2];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isIn = !isIn;
  }
  return isIn;
}

/** Returns the ring in counter-clockwise order, as RFC 7946 asks for outer rings. */
export function outerRing(ring: Ring): Ring {
  return signedArea(ring) < 0 ? ring.toReversed() : ring;
}

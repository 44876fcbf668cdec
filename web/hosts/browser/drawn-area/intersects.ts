/**
 * Whether a geometry has a position in common with a polygon; edges and corners count. Planar, in longitude and latitude.
 * @module
 */
import type { Geometry, Position } from "../../../../data/format/geometry.ts";

type Ring = readonly Position[];
type Polygon = readonly Ring[];
interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** A test for many geometries against one ring, closed, whose longitudes may run beyond 180. */
export function createIntersects(ring: Ring): (geometry: Geometry) => boolean {
  const box = boxOf(ring);
  // The ring lies in one turn of the globe, the geometry in another: all that can meet are tried.
  const turns = [-360, 0, 360].map((turn) => ring.map(([lon, lat]): Position => [lon + turn, lat]));
  const reachable = turns.map((turned) => ({ ring: turned, box: boxOf(turned) }));
  const meets = (points: Ring, test: (ring: Ring) => boolean) => {
    const its = boxOf(points);
    if (its.north < box.south || its.south > box.north) return false;
    return reachable.some((area) => its.west <= area.box.east && its.east >= area.box.west && test(area.ring));
  };
  const hasPoint = (point: Position) => meets([point], (area) => contains([area], point));
  const hasLine = (line: Ring) =>
    meets(line, (area) => line.some((point) => contains([area], point)) || doRingsCross(area, line));
  const hasPolygon = (polygon: Polygon) => {
    const [outer = []] = polygon;
    return meets(
      outer,
      (area) =>
        polygon.some((line) => doRingsCross(area, line)) ||
        outer.some((point) => contains([area], point)) ||
        area.some((point) => contains(polygon, point)),
    );
  };
  return function intersects(geometry: Geometry): boolean {
    switch (geometry.type) {
      case "Point":
        return hasPoint(geometry.coordinates);
      case "MultiPoint":
        return geometry.coordinates.some(hasPoint);
      case "LineString":
        return hasLine(geometry.coordinates);
      case "MultiLineString":
        return geometry.coordinates.some(hasLine);
      case "Polygon":
        return hasPolygon(geometry.coordinates);
      case "MultiPolygon":
        return geometry.coordinates.some(hasPolygon);
      case "GeometryCollection":
        return geometry.geometries.some(intersects);
    }
  };
}

/** By the even-odd rule over all rings; edges belong to the polygon. */
function contains(polygon: Polygon, point: Position): boolean {
  let isInside = false;
  for (const ring of polygon) {
    for (let i = 1; i < ring.length; i++) {
      const [a, b] = [ring[i - 1] as Position, ring[i] as Position];
      const side = turn(a, b, point);
      if (side === 0 && isBetween(a, b, point)) return true;
      const isCrossed = a[1] > point[1] !== b[1] > point[1];
      if (isCrossed && side > 0 === b[1] > a[1]) isInside = !isInside;
    }
  }
  return isInside;
}

function doRingsCross(a: Ring, b: Ring): boolean {
  for (let i = 1; i < b.length; i++) {
    const [from, to] = [b[i - 1] as Position, b[i] as Position];
    for (let j = 1; j < a.length; j++) {
      if (doCross(from, to, a[j - 1] as Position, a[j] as Position)) return true;
    }
  }
  return false;
}

/** Whether two segments share a position, ends included. */
function doCross(a: Position, b: Position, c: Position, d: Position): boolean {
  const [cSide, dSide] = [turn(a, b, c), turn(a, b, d)];
  const [aSide, bSide] = [turn(c, d, a), turn(c, d, b)];
  if (Math.sign(cSide) * Math.sign(dSide) < 0 && Math.sign(aSide) * Math.sign(bSide) < 0) return true;
  return (
    (cSide === 0 && isBetween(a, b, c)) ||
    (dSide === 0 && isBetween(a, b, d)) ||
    (aSide === 0 && isBetween(c, d, a)) ||
    (bSide === 0 && isBetween(c, d, b))
  );
}

/** Positive when c lies left of the line from a to b. */
function turn([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

/** For a position on the line through a and b. */
function isBetween(a: Position, b: Position, [x, y]: Position): boolean {
  return (
    x >= Math.min(a[0], b[0]) && x <= Math.max(a[0], b[0]) && y >= Math.min(a[1], b[1]) && y <= Math.max(a[1], b[1])
  );
}

function boxOf(points: Ring): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon, lat] of points) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return { west, south, east, north };
}

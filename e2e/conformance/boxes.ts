/**
 * Tests whether a geometry intersects a box, by clipping its edges.
 * @module
 */
import type { Geometry, Position } from "geojson";
import { contains } from "./distance.ts";

export type Box = readonly [west: number, south: number, east: number, north: number];

/** Edges included. The box does not cross the antimeridian. */
export function meetsBox(geometry: Geometry, box: Box): boolean {
  const hasEdge = (line: readonly Position[]) => line.some((end, i) => isEdgeIn(line[i - 1] ?? end, end, box));
  const hasPart = (rings: readonly (readonly Position[])[]) => rings.some(hasEdge) || contains(rings, [box[0], box[1]]);
  switch (geometry.type) {
    case "Point":
      return hasEdge([geometry.coordinates]);
    case "MultiPoint":
      return geometry.coordinates.some((position) => hasEdge([position]));
    case "LineString":
      return hasEdge(geometry.coordinates);
    case "MultiLineString":
      return geometry.coordinates.some(hasEdge);
    case "Polygon":
      return hasPart(geometry.coordinates);
    case "MultiPolygon":
      return geometry.coordinates.some(hasPart);
    case "GeometryCollection":
      return geometry.geometries.some((member) => meetsBox(member, box));
  }
}

/** Liang-Barsky clipping. */
function isEdgeIn([x1 = 0, y1 = 0]: Position, [x2 = 0, y2 = 0]: Position, [west, south, east, north]: Box): boolean {
  let first = 0;
  let last = 1;
  const sides = [
    [x1 - x2, x1 - west],
    [x2 - x1, east - x1],
    [y1 - y2, y1 - south],
    [y2 - y1, north - y1],
  ] as const;
  for (const [step, margin] of sides) {
    if (step === 0 && margin < 0) return false;
    if (step < 0) first = Math.max(first, margin / step);
    if (step > 0) last = Math.min(last, margin / step);
  }
  return first <= last;
}

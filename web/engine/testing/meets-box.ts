/**
 * Tests whether a geometry meets a box by clipping its edges, independently of the engine.
 * @module
 */
import { type BBox, splitAtAntimeridian } from "../../../data/format/bbox.ts";
import type { Geometry, Position } from "../../../data/format/geometry.ts";
import { polygonContains } from "../../../data/format/representative-point.ts";

/** Edges and corners included; a box with `west > east` crosses the antimeridian. */
export function meetsBox(geometry: Geometry, box: BBox): boolean {
  return splitAtAntimeridian(box).some((part) => meetsPart(geometry, part));
}

function meetsPart(geometry: Geometry, box: BBox): boolean {
  switch (geometry.type) {
    case "Point":
      return isEdgeIn(geometry.coordinates, geometry.coordinates, box);
    case "MultiPoint":
      return geometry.coordinates.some((position) => isEdgeIn(position, position, box));
    case "LineString":
      return isLineIn(geometry.coordinates, box);
    case "MultiLineString":
      return geometry.coordinates.some((line) => isLineIn(line, box));
    case "Polygon":
      return isPolygonIn(geometry.coordinates, box);
    case "MultiPolygon":
      return geometry.coordinates.some((rings) => isPolygonIn(rings, box));
    case "GeometryCollection":
      return geometry.geometries.some((member) => meetsPart(member, box));
  }
}

function isPolygonIn(rings: readonly (readonly Position[])[], box: BBox): boolean {
  return rings.some((ring) => isLineIn(ring, box)) || polygonContains(rings, [box[0], box[1]]);
}

function isLineIn(line: readonly Position[], box: BBox): boolean {
  return line.some((end, index) => index > 0 && isEdgeIn(line[index - 1] as Position, end, box));
}

/** The Liang-Barsky algorithm: the part of the edge that remains after each side. */
function isEdgeIn([x1, y1]: Position, [x2, y2]: Position, [west, south, east, north]: BBox): boolean {
  let [first, last] = [0, 1];
  for (const [step, margin] of [
    [x1 - x2, x1 - west],
    [x2 - x1, east - x1],
    [y1 - y2, y1 - south],
    [y2 - y1, north - y1],
  ] as const) {
    if (step === 0 && margin < 0) return false;
    if (step < 0) first = Math.max(first, margin / step);
    if (step > 0) last = Math.min(last, margin / step);
  }
  return first <= last;
}

import type { Area } from "../format/area.ts";
import { createAreaTest } from "../format/area-test.ts";
import { type BBox, bboxUnion, splitAtAntimeridian, wrapLon } from "../format/bbox.ts";
import { bboxOf } from "../format/geometry.ts";

/** The area whose rows are wanted, as plain data that a plan can store. */
export interface AreaFilter {
  /** Text for people, such as `country MC`. */
  readonly label: string;
  /** Degrees. The box of each wanted row meets it. `west > east` crosses the antimeridian. */
  readonly bbox: BBox;
  /** The geometry of each wanted row intersects it. Without it, only the box decides. */
  readonly polygon?: Area;
  /** ISO 3166-1 alpha-2 code. Rows that declare a country are selected by it, and not by their location. */
  readonly country?: string;
}

/** An area as a user states it. A country, a division or a place needs a look-up of its outline. */
export type AskedArea =
  | { readonly kind: "box"; readonly bbox: BBox }
  | { readonly kind: "country"; readonly code: string }
  | { readonly kind: "division"; readonly id: string }
  | { readonly kind: "place"; readonly name: string }
  | { readonly kind: "polygon"; readonly label: string; readonly polygon: Area };

/** Returns a filter for rows whose box meets this box, in degrees. */
export function boxFilter(bbox: BBox): AreaFilter {
  return { label: `box ${bbox.join(",")}`, bbox };
}

/**
 * Returns a filter for rows whose geometry meets the polygon. `label` names it in messages. With `country` (ISO 3166-1
 * alpha-2), rows that declare a country must declare this one.
 */
export function polygonFilter(label: string, polygon: Area, country?: string): AreaFilter {
  return { label, bbox: boxOfArea(polygon), polygon, ...(country === undefined ? {} : { country }) };
}

/** Returns one area with the polygons of all areas. Throws if the list is empty. */
export function joinAreas(areas: readonly Area[]): Area {
  const [first, ...others] = areas;
  if (!first) throw new Error("an area of no polygons");
  if (others.length === 0) return first;
  const polygons = areas.flatMap((area) => (area.type === "Polygon" ? [area.coordinates] : area.coordinates));
  return { type: "MultiPolygon", coordinates: polygons };
}

/** The box of rings with longitudes beyond 180 crosses the antimeridian. */
function boxOfArea(area: Area): BBox {
  const polygons = area.type === "Polygon" ? [area.coordinates] : area.coordinates;
  const boxes = polygons.flatMap((coordinates) => {
    const box = bboxOf({ type: "Polygon", coordinates });
    return box ? [onGlobe(box)] : [];
  });
  return bboxUnion(boxes);
}

function onGlobe([west, south, east, north]: BBox): BBox {
  if (east - west >= 360) return [-180, south, 180, north];
  return [wrapLon(west), south, wrapLon(east), north];
}

/**
 * Returns a function that estimates which share of a box (degrees) the filter wants, by area. The share is 0 only if
 * the box has no wanted rows.
 */
export function shareOfBox(filter: AreaFilter): (box: BBox) => number {
  const test = filter.polygon && createAreaTest(filter.polygon);
  return (box) => {
    if (test && filter.country === undefined && !test.reaches(box)) return 0;
    return Math.max(0, ...splitAtAntimeridian(filter.bbox).map((part) => overlap(part, box)));
  };
}

/** Share of `box`; 0 if they are disjoint, and above 0 if they touch. */
function overlap(wanted: BBox, box: BBox): number {
  const along = (low: number, high: number, least: number, most: number): number => {
    if (least > high || most < low) return 0;
    if (high === low) return 1;
    return Math.max((Math.min(high, most) - Math.max(low, least)) / (high - low), Number.EPSILON);
  };
  return along(box[0], box[2], wanted[0], wanted[2]) * along(box[1], box[3], wanted[1], wanted[3]);
}

/**
 * Which parts of a long geometry a distance depends on.
 * @module
 */
import type { BBox } from "./bbox.ts";
import { nearestInBBox, SLACK_METERS } from "./bbox-distance.ts";
import { boxOfPart, type PartTable } from "./geometry-parts.ts";
import { metersTo, type Origin, toRadians } from "./sphere.ts";
import { TWKB_SCALE } from "./twkb.ts";

interface PartsNear extends Pick<PartTable, "parts"> {
  readonly origin: Origin;
  readonly radiusMeters: number;
}

/**
 * Returns the indices of the parts that decide the distance from the origin to a long geometry, as far as it is at most
 * `radiusMeters`. Parts whose box (degrees) `reaches` accepts are included.
 */
export function nearParts(
  { parts, origin, radiusMeters }: PartsNear,
  reaches: (box: BBox) => boolean = () => false,
): readonly number[] {
  let most = radiusMeters;
  for (const { x, y } of parts) {
    const lat = y / TWKB_SCALE;
    most = Math.min(most, metersTo(origin, x / TWKB_SCALE, lat, Math.cos(toRadians(lat))));
  }
  return parts.flatMap((part, index) => {
    const box = boxOfPart(part);
    return nearestInBBox(origin, box) <= most + SLACK_METERS || reaches(box) ? [index] : [];
  });
}

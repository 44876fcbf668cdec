/**
 * Boxes of the paths of a geometry.
 * @module
 */
import type { BBox } from "./bbox.ts";
import { createPathReader } from "./wkb-paths.ts";

/**
 * Returns the box in degrees of each point, line and outer ring of a WKB or TWKB geometry. Islands on both sides of the
 * antimeridian have narrow boxes, while the box of all of them is as wide as the earth. Throws if the geometry is damaged.
 */
export function boxesOfPaths(wkb: Uint8Array): BBox[] {
  const boxes: BBox[] = [];
  createPathReader((kind, coordinates, count) => {
    if (kind === "inner") return;
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      const [lon = 0, lat = 0] = [coordinates[2 * i], coordinates[2 * i + 1]];
      [west, east] = [Math.min(west, lon), Math.max(east, lon)];
      [south, north] = [Math.min(south, lat), Math.max(north, lat)];
    }
    boxes.push([west, south, east, north]);
  })(wkb);
  return boxes;
}

/**
 * Boxes of the paths of a geometry.
 * @module
 */
import { type BBox, boxOfPositions } from "./bbox.ts";
import { createPathReader } from "./wkb-paths.ts";

/**
 * Returns the box in degrees of each point, line and outer ring of a WKB or TWKB geometry. Islands on both sides of the
 * antimeridian have narrow boxes, while the box of all of them is as wide as the earth. Throws if the geometry is damaged.
 */
export function boxesOfPaths(wkb: Uint8Array): BBox[] {
  const boxes: BBox[] = [];
  createPathReader((kind, coordinates, count) => {
    if (kind === "inner") return;
    boxes.push(boxOfPositions(coordinates, 0, 2 * count));
  })(wkb);
  return boxes;
}

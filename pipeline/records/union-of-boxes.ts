import { type BBox, bboxUnion } from "../../data/format/bbox.ts";

/** The narrowest box of boxes that do not cross the antimeridian: quickly, where they are not far apart. */
export function unionOfBoxes(boxes: readonly BBox[]): BBox {
  let [west, south, east, north] = boxes[0] ?? [0, 0, 0, 0];
  for (const box of boxes) {
    if (box[0] < west) west = box[0];
    if (box[1] < south) south = box[1];
    if (box[2] > east) east = box[2];
    if (box[3] > north) north = box[3];
  }
  return east - west <= 180 ? [west, south, east, north] : bboxUnion(boxes);
}

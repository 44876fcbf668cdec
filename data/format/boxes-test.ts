/**
 * Tests boxes against many others.
 * @module
 */
import Flatbush from "flatbush";
import { type BBox, splitAtAntimeridian } from "./bbox.ts";

/** Edges of cells and positions are rounded differently: 0.1 mm. */
const SLACK_DEG = 1e-9;

/**
 * Returns a test whether a box shares a position with one of `boxes`, with a tolerance of 1e-9 degrees. `boxes` must
 * not cross the antimeridian. A tested box may.
 */
export function boxesTest(boxes: readonly BBox[]): (box: BBox) => boolean {
  if (boxes.length === 0) return () => false;
  const tree = new Flatbush(boxes.length);
  for (const [west, south, east, north] of boxes) {
    tree.add(west - SLACK_DEG, south - SLACK_DEG, east + SLACK_DEG, north + SLACK_DEG);
  }
  tree.finish();
  return (box) => splitAtAntimeridian(box).some((part) => tree.collides(...part, () => true));
}

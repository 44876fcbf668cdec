/**
 * Boxes on the sphere. Longitude before latitude, degrees, WGS84.
 * @module
 */

/** `[west, south, east, north]` in degrees; `west > east` means the box crosses the antimeridian. */
export type BBox = readonly [west: number, south: number, east: number, north: number];

/** Returns a longitude of -540 to 540 degrees as the same meridian from -180 to 180. */
export function wrapLon(lon: number): number {
  return lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
}

/** Returns true if the position in degrees is in the box, edges included. The box may cross the antimeridian. */
export function bboxContains(box: BBox, lon: number, lat: number): boolean {
  const [west, south, east, north] = box;
  if (lat < south || lat > north) return false;
  return west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
}

/** Returns true if two boxes share a position, edges included. Both may cross the antimeridian. */
export function bboxIntersects(a: BBox, b: BBox): boolean {
  if (a[1] > b[3] || a[3] < b[1]) return false;
  return splitAtAntimeridian(a).some((x) => splitAtAntimeridian(b).some((y) => x[0] <= y[2] && x[2] >= y[0]));
}

/** Returns the box itself, or if the box crosses the antimeridian, its part west and its part east of it. */
export function splitAtAntimeridian(box: BBox): readonly BBox[] {
  const [west, south, east, north] = box;
  if (west <= east) return [box];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}

type Corner = [lon: number, lat: number];

/**
 * Returns the corners of the box as a ring, closed and counter-clockwise. If the box crosses the antimeridian, its
 * eastern longitudes exceed 180.
 */
export function boxRing([west, south, right, north]: BBox): [Corner, Corner, Corner, Corner, Corner] {
  const east = right < west ? right + 360 : right;
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/**
 * Returns the smallest box that contains all boxes. It crosses the antimeridian if it is narrower so. Throws for an
 * empty list.
 */
export function bboxUnion(boxes: Iterable<BBox>): BBox {
  let south = Number.POSITIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  const spans: [west: number, east: number][] = [];
  for (const box of boxes) {
    south = Math.min(south, box[1]);
    north = Math.max(north, box[3]);
    for (const part of splitAtAntimeridian(box)) spans.push([part[0], part[2]]);
  }
  if (spans.length === 0) throw new Error("bbox union of no boxes");
  spans.sort((a, b) => a[0] - b[0]);
  const west = spans[0]?.[0] ?? -180;
  let east = spans[0]?.[1] ?? 180;
  let widestGap = 0;
  let gap: [start: number, end: number] | undefined;
  for (const [start, end] of spans) {
    if (start - east > widestGap) {
      widestGap = start - east;
      gap = [east, start];
    }
    east = Math.max(east, end);
  }
  const gapOverAntimeridian = west + 360 - east;
  if (gap === undefined || gapOverAntimeridian >= widestGap) return [west, south, east, north];
  return [gap[1], south, gap[0], north];
}

/**
 * Returns the box of positions that follow each other as `x, y, x, y`, from index `start` to `end` (exclusive) or to the last one.
 * Without positions it is `[Infinity, Infinity, -Infinity, -Infinity]`.
 */
export function boxOfPositions(positions: ArrayLike<number>, start = 0, end = positions.length): BBox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = start; i < Math.min(end, positions.length); i += 2) {
    const [x, y] = [positions[i] as number, positions[i + 1] as number];
    west = Math.min(west, x);
    south = Math.min(south, y);
    east = Math.max(east, x);
    north = Math.max(north, y);
  }
  return [west, south, east, north];
}

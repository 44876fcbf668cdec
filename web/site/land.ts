/**
 * Makes the outline of land that the page draws before the map has tiles: the path of an SVG in Web Mercator.
 * @module
 */
import { parquetReadObjects } from "hyparquet";
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { shareOfWorld } from "../../data/format/tile-id.ts";
import type { Recipe } from "./shipped-files.ts";

/** Width and height of the world in the units of the path, as in `first-land.ts`. */
const WORLD_UNITS = 2048;

export const LAND_FILE: Recipe = {
  key: "land",
  name: "assets/land-[hash].json",
  isPreloaded: true,
  inputs: ["web/site/natural-earth/land.parquet"],
  version: 1,
  async make([land = new Uint8Array()]) {
    const rows = (await parquetReadObjects({ file: Uint8Array.from(land).buffer })) as {
      readonly geometry: Geometry;
    }[];
    const path = rows.flatMap(({ geometry }) => (geometry.type === "Polygon" ? geometry.coordinates.map(ring) : []));
    return new TextEncoder().encode(JSON.stringify(path.join("")));
  },
};

/** Returns a ring as a closed SVG line of relative steps; empty if it has no inside in these units. */
function ring(positions: readonly Position[]): string {
  const points = positions.map(project).reduce<[number, number][]>((kept, point) => {
    const [before, last] = kept.slice(-2);
    // the middle of three that are almost on a line adds nothing
    if (before && last && Math.abs(turn(before, last, point)) < 3) kept.pop();
    kept.push(point);
    return kept;
  }, []);
  if (points.length < 4) return "";
  const steps = points.slice(1, -1).flatMap(([x, y], at) => [x - (points[at]?.[0] ?? 0), y - (points[at]?.[1] ?? 0)]);
  return `M${joined(points[0] ?? [])}l${joined(steps)}z`;
}

/** Returns twice the signed area of the triangle. */
function turn([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

/** Returns the numbers as text. A minus sign needs no separator before it. */
function joined(numbers: readonly number[]): string {
  return numbers.join(" ").replaceAll(" -", "-");
}

function project([lon, lat]: Position): [number, number] {
  const [x, y] = shareOfWorld({ lon, lat });
  return [Math.round(x * WORLD_UNITS), Math.round(y * WORLD_UNITS)];
}

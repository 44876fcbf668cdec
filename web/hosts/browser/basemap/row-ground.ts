/** Makes land where the dataset has roads and buildings, which overrides a coarse coast. @module */
import type * as GeoJSON from "geojson";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { Position } from "../../../../data/format/geometry.ts";
import type { Ground } from "./coast.ts";

/** Cells per side of a tile. */
const CELLS = 64;

/** Radius of the land around the middle of a cell, in cells. */
const RADIUS = 1.5;
/** Corners of each round end. */
const ROUND_CORNERS = 7;

/**
 * Returns rings of land around those parts of the geometries' lines that are on water according to `isWater`. `box` is the bbox
 * of the tile, which is divided into `cells` by `cells` cells.
 */
export function groundOfRows(
  geometries: Iterable<GeoJSON.Geometry>,
  box: BBox,
  isWater: (position: Position) => boolean,
  cells = CELLS,
): Ground[] {
  const [west, south, east, north] = box;
  const [width, height] = [(east - west) / cells, (north - south) / cells];
  // one more on each side, for roads next to the tile
  const columns = cells + 2;
  const land = new Set<number>();
  const mark = (position: Position) => {
    const [column, row] = [Math.floor((position[0] - west) / width), Math.floor((position[1] - south) / height)];
    if (column < -1 || column > cells || row < -1 || row > cells) return;
    const cell = (row + 1) * columns + column + 1;
    if (!land.has(cell) && isWater(position)) land.add(cell);
  };
  const step = Math.min(width, height);
  for (const geometry of geometries) {
    for (const line of linesOf(geometry)) {
      for (const [i, [x2 = 0, y2 = 0]] of line.entries()) {
        const [x1 = x2, y1 = y2] = line[i - 1] ?? [];
        if (Math.max(x1, x2) < west || Math.min(x1, x2) > east || Math.max(y1, y2) < south || Math.min(y1, y2) > north)
          continue;
        const parts = Math.max(1, Math.ceil(Math.hypot(x2 - x1, y2 - y1) / step));
        for (let part = 1; part <= parts; part++) {
          mark([x1 + (part / parts) * (x2 - x1), y1 + (part / parts) * (y2 - y1)]);
        }
      }
    }
  }
  const end = (x: number, y: number, turn: number) =>
    Array.from({ length: ROUND_CORNERS }, (_, i): Position => {
      const angle = turn + (Math.PI * i) / (ROUND_CORNERS - 1);
      return [x + RADIUS * width * Math.cos(angle), y + RADIUS * height * Math.sin(angle)];
    });
  return runsOf(land, columns).map(([first, last]) => {
    const middle = (cell: number) => west + ((cell % columns) - 0.5) * width;
    const y = south + (Math.floor(first / columns) - 0.5) * height;
    const ring = [...end(middle(last), y, -Math.PI / 2), ...end(middle(first), y, Math.PI / 2)];
    return { kind: "land", ring: [...ring, ring[0] as Position] };
  });
}

/** Joins adjacent cells of a row: the first cell and the last. */
function runsOf(land: ReadonlySet<number>, columns: number): [number, number][] {
  const runs: [number, number][] = [];
  for (const cell of [...land].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === cell - 1 && cell % columns > 0) last[1] = cell;
    else runs.push([cell, cell]);
  }
  return runs;
}

function linesOf(geometry: GeoJSON.Geometry): GeoJSON.Position[][] {
  switch (geometry.type) {
    case "LineString":
      return [geometry.coordinates];
    case "MultiLineString":
    case "Polygon":
      return geometry.coordinates;
    case "MultiPolygon":
      return geometry.coordinates.flat();
    default:
      return [];
  }
}

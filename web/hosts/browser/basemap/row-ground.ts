/** Land where the dataset has roads and buildings. It overrides a coarse coast. @module */
import type * as GeoJSON from "geojson";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { Position } from "../../../../data/format/geometry.ts";
import type { Ground } from "./coast.ts";

/** Cells per side of a tile. */
const CELLS = 64;

/**
 * Returns boxes of land around the lines of the geometries wherever the position would be water. `box` is the bbox of
 * the tile.
 */
export function groundOfRows(
  geometries: Iterable<GeoJSON.Geometry>,
  box: BBox,
  isWater: (position: Position) => boolean,
  cells = CELLS,
): Ground[] {
  const [west, south, east, north] = box;
  const [width, height] = [(east - west) / cells, (north - south) / cells];
  const wet = new Map<number, boolean>();
  const land = new Set<number>();
  const mark = ([lon, lat]: Position) => {
    const [column, row] = [Math.floor((lon - west) / width), Math.floor((lat - south) / height)];
    if (column < -1 || column > cells || row < -1 || row > cells) return;
    for (let y = Math.max(0, row - 1); y <= Math.min(cells - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(cells - 1, column + 1); x++) {
        const cell = y * cells + x;
        const isWet = wet.get(cell) ?? cornersOf(cell).some(isWater);
        wet.set(cell, isWet);
        if (isWet) land.add(cell);
      }
    }
  };
  const cornersOf = (cell: number): Position[] => {
    const [x, y] = [west + (cell % cells) * width, south + Math.floor(cell / cells) * height];
    return [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ];
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
  return boxesOf(land, cells).map(([first, last]) => {
    const [left, bottom] = [west + (first % cells) * width, south + Math.floor(first / cells) * height];
    const [right, top] = [west + ((last % cells) + 1) * width, bottom + height];
    return {
      kind: "land",
      ring: [
        [left, bottom],
        [right, bottom],
        [right, top],
        [left, top],
        [left, bottom],
      ],
    };
  });
}

/** Joins adjacent cells of a row: the first cell and the last. */
function boxesOf(land: ReadonlySet<number>, cells: number): [number, number][] {
  const boxes: [number, number][] = [];
  for (const cell of [...land].sort((a, b) => a - b)) {
    const last = boxes.at(-1);
    if (last && last[1] === cell - 1 && cell % cells > 0) last[1] = cell;
    else boxes.push([cell, cell]);
  }
  return boxes;
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

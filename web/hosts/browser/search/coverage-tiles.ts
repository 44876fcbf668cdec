/**
 * Shows where a dataset has rows, as vector tiles of low zooms: a point in each square of 16 pixels that has some.
 * @module
 */
import { geoJSONToTile } from "@maplibre/geojson-vt";
import type * as GeoJSON from "geojson";
import { type BBox, bboxIntersects, bboxUnion, boxRing, splitAtAntimeridian } from "../../../../data/format/bbox.ts";
import { type TileId, tileBBox } from "../../../../data/format/tile-id.ts";
import type { RowBox } from "../../../engine/index.ts";
import { encodeTile } from "../../../tiles/index.ts";

/** Number of squares on each side of a tile. A tile is 512 pixels wide, a square 16. */
const SQUARES = 32;
const SQUARES_ZOOM = Math.log2(SQUARES);
const INDEXES = Array.from({ length: SQUARES }, (_, index) => index);

/** Maximum width and height of a box. The box of a country covers much sea, and that of its islands half of the globe. */
const WIDEST_DEGREES = 5;
/** Minimum share of rows in narrow boxes. With fewer, missing points would look like areas without data. */
const LEAST_SHARE = 0.9;

/**
 * Returns a tile with the layer `coverage`; empty where no box is, or if too many rows are in wide boxes. From zoom 6 on it also
 * has the layers `covered`, where the dataset has rows (`everything`), and `outside`.
 */
export function coverageTile(
  boxes: readonly RowBox[],
  tile: TileId,
  everything: readonly RowBox[] = boxes,
): ArrayBuffer {
  const features = coveredPoints(narrowBoxes(boxes), tile).map(
    (coordinates): GeoJSON.Feature => ({ type: "Feature", properties: {}, geometry: { type: "Point", coordinates } }),
  );
  const { z, x, y } = tile;
  const made = (shapes: GeoJSON.Feature[]) =>
    geoJSONToTile({ type: "FeatureCollection", features: shapes }, z, x, y, { maxZoom: z, clip: true });
  if (z < SHAPES_ZOOM) return encodeTile([["coverage", made(features)]]).buffer;
  const grid = coveredCells(narrowBoxes(everything), tile);
  return encodeTile([
    ["coverage", made(features)],
    ["covered", made(filledRows(grid, tile, COVERED))],
    ["outside", made(isExtract(everything) ? veilOf(grid, tile) : [])],
  ]).buffer;
}

/** Lowest zoom at which tiles have areas and edges besides points. */
export const SHAPES_ZOOM = 6;
/** Number of cells on each side of a tile, for areas. */
const CELLS = 128;
/**
 * Maximum sum of the boxes' areas in square degrees. A dataset that covers more is no extract, and has gaps where nobody lives.
 */
const MAX_EXTRACT_DEGREES = 400;

/** Returns whether any of the boxes meets the box. Undefined if too many rows are in wide boxes. */
export function isCovered(boxes: readonly RowBox[], box: BBox): boolean | undefined {
  const narrow = narrowBoxes(boxes);
  if (narrow.length === 0) return undefined;
  return narrow.some(({ bbox }) => bboxIntersects(bbox, box));
}

function isExtract(boxes: readonly RowBox[]): boolean {
  const area = ([west, south, east, north]: BBox) => (east < west ? east + 360 - west : east - west) * (north - south);
  return boxes.reduce((sum, { bbox }) => sum + area(bbox), 0) <= MAX_EXTRACT_DEGREES;
}

/** Width of the soft edge around covered cells, in cells. */
const SOFT_CELLS = 4;
/**
 * Cells on each side of a grid: those of the tile and of a soft edge around it. A value is `COVERED`, or the steps to a covered
 * cell.
 */
const SIDE = CELLS + 2 * SOFT_CELLS;
const COVERED = -1;
const indexOf = (column: number, row: number) => (row + SOFT_CELLS) * SIDE + column + SOFT_CELLS;
const within = (index: number) => Math.max(-SOFT_CELLS, Math.min(CELLS + SOFT_CELLS - 1, index));

/** Cells within the soft edge, each with its distance in whole cells, below `SOFT_CELLS`. */
const AROUND = Array.from({ length: (2 * SOFT_CELLS + 1) ** 2 }, (_, index) => {
  const [x, y] = [(index % (2 * SOFT_CELLS + 1)) - SOFT_CELLS, Math.floor(index / (2 * SOFT_CELLS + 1)) - SOFT_CELLS];
  return [x, y, Math.floor(Math.hypot(x, y) - 0.5)] as const;
}).filter(([, , distance]) => distance >= 0 && distance < SOFT_CELLS);

/** Returns the grid of a tile. Cells that a box overlaps are covered, all others have the last step. */
function coveredCells(boxes: readonly RowBox[], tile: TileId): Int8Array {
  const grid = new Int8Array(SIDE * SIDE).fill(SOFT_CELLS);
  const [west, south, east, north] = tileBBox(tile);
  const mercator = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180));
  const top = mercator(north);
  const height = (top - mercator(south)) / CELLS;
  const width = (east - west) / CELLS;
  for (const [left, bottom, right, upper] of boxes.flatMap(({ bbox }) => splitAtAntimeridian(bbox))) {
    const [first, last] = [Math.floor((left - west) / width), Math.floor((right - west) / width)];
    const [from, to] = [Math.floor((top - mercator(upper)) / height), Math.floor((top - mercator(bottom)) / height)];
    const most = CELLS + SOFT_CELLS;
    if (to < -SOFT_CELLS || from >= most || last < -SOFT_CELLS || first >= most) continue;
    for (let row = within(from); row <= within(to); row++)
      grid.fill(COVERED, indexOf(within(first), row), indexOf(within(last), row) + 1);
  }
  return grid;
}

/** Lowers the values of cells near a covered one to their distance from it. */
function soften(grid: Int8Array): void {
  for (let row = -SOFT_CELLS; row < CELLS + SOFT_CELLS; row++) {
    for (let column = -SOFT_CELLS; column < CELLS + SOFT_CELLS; column++) {
      if (grid[indexOf(column, row)] !== COVERED) continue;
      for (const [x, y, distance] of AROUND) {
        const [near, beside] = [column + x, row + y];
        if (near !== within(near) || beside !== within(beside)) continue;
        const index = indexOf(near, beside);
        if ((grid[index] ?? 0) > distance) grid[index] = distance;
      }
    }
  }
}

/** Returns rectangles over the cells that are not covered, with their `step` from the covered ones. */
function veilOf(grid: Int8Array, tile: TileId): GeoJSON.Feature[] {
  soften(grid);
  return Array.from({ length: SOFT_CELLS + 1 }, (_, step) => filledRows(grid, tile, step, { step })).flat();
}

/** Returns one rectangle for each run of cells in a row that have the value. */
function filledRows(
  grid: Int8Array,
  tile: TileId,
  value: number,
  properties: GeoJSON.GeoJsonProperties = {},
): GeoJSON.Feature[] {
  const shapes: GeoJSON.Feature[] = [];
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      if (grid[indexOf(column, row)] !== value) continue;
      const first = column;
      while (column + 1 < CELLS && grid[indexOf(column + 1, row)] === value) column += 1;
      const [[west = 0, north = 0], [east = 0, south = 0]] = [
        cornerOf(tile, first, row),
        cornerOf(tile, column + 1, row + 1),
      ];
      const ring = boxRing([west, south, east, north]).map((position) => [...position]);
      shapes.push({ type: "Feature", properties, geometry: { type: "Polygon", coordinates: [ring] } });
    }
  }
  return shapes;
}

/** Returns the north-west corner of a cell, [lon, lat] in degrees. */
function cornerOf({ z, x, y }: TileId, column: number, row: number): GeoJSON.Position {
  const [lon, , , lat] = tileBBox({ z: z + Math.log2(CELLS), x: x * CELLS + column, y: y * CELLS + row });
  return [lon, lat];
}

/** Returns the boxes of at most 5 degrees. Empty if they have less than 90 % of the rows. */
export function narrowBoxes(boxes: readonly RowBox[]): readonly RowBox[] {
  const narrow = boxes.filter(({ bbox: [west, south, east, north] }) => {
    const width = east < west ? east + 360 - west : east - west;
    return Math.max(width, north - south) <= WIDEST_DEGREES;
  });
  const rowsOf = (some: readonly RowBox[]) => some.reduce((sum, { rows }) => sum + rows, 0);
  return rowsOf(narrow) < LEAST_SHARE * rowsOf(boxes) ? [] : narrow;
}

/** Returns for each square of the tile the middle of its covered part, [lon, lat] in degrees. */
export function coveredPoints(boxes: readonly Pick<RowBox, "bbox">[], { z, x, y }: TileId): GeoJSON.Position[] {
  const squareAt = (column: number, row: number) =>
    tileBBox({ z: z + SQUARES_ZOOM, x: x * SQUARES + column, y: y * SQUARES + row });
  // longitudes of columns are the same in all rows, latitudes of rows in all columns
  const spans = INDEXES.map((index) => squareAt(index, index));
  const covered = new Map<number, BBox>();
  for (const box of boxes.flatMap(({ bbox }) => splitAtAntimeridian(bbox))) {
    const [boxWest, boxSouth, boxEast, boxNorth] = box;
    const columns = INDEXES.filter((index) => {
      const [west, , east] = spans[index] ?? box;
      return west <= boxEast && boxWest < east;
    });
    const rows = INDEXES.filter((index) => {
      const [, south, , north] = spans[index] ?? box;
      return south <= boxNorth && boxSouth < north;
    });
    for (const row of rows) {
      for (const column of columns) {
        const key = row * SQUARES + column;
        const part = intersection(squareAt(column, row), box);
        const known = covered.get(key);
        covered.set(key, known ? bboxUnion([known, part]) : part);
      }
    }
  }
  return Array.from(covered.values(), ([west, south, east, north]) => [(west + east) / 2, (south + north) / 2]);
}

function intersection(a: BBox, b: BBox): BBox {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

/** Limits on what a tile shows and reads, by zoom. @module */
import { type TileId, tileBBox } from "../../data/format/tile-id.ts";

/** Lowest zoom at which a tile contains every feature that meets it. */
export const EXACT_ZOOM = 14;
/** Pixels per side of a tile in MapLibre. */
const SIDE_PIXELS = 512;
/** Side of a cell in pixels. One point stands for all points of its cell. */
const CELL_PIXELS = 4;

export interface Detail {
  /** Maximum bytes to read for a tile. Below zoom 12, a view of six tiles reads 2 MB. */
  readonly maxReadBytes: number;
  readonly maxTileBytes: number;
  /** Minimum size of shapes, in degrees of longitude and latitude. Smaller ones are left out. */
  readonly leastSize: readonly [lon: number, lat: number];
  /** Number of cells on each side of the tile, each with at most one point. */
  readonly cells: number;
}

const WHOLE: Detail = {
  maxReadBytes: Number.POSITIVE_INFINITY,
  maxTileBytes: Number.POSITIVE_INFINITY,
  leastSize: [0, 0],
  cells: Number.POSITIVE_INFINITY,
};

/** Returns the limits of a tile, by its zoom. From `EXACT_ZOOM` on there are none. */
export function detailOf(tile: TileId): Detail {
  if (tile.z >= EXACT_ZOOM) return WHOLE;
  const [west, south, east, north] = tileBBox(tile);
  return {
    maxReadBytes: tile.z >= 12 ? 1_000_000 : 330_000,
    maxTileBytes: tile.z >= 12 ? 500_000 : 330_000,
    leastSize: [(east - west) / SIDE_PIXELS, (north - south) / SIDE_PIXELS],
    cells: SIDE_PIXELS / CELL_PIXELS,
  };
}

/**
 * Limits on what a tile of a zoom shows and reads.
 * @module
 */
import { type TileId, tileBBox } from "../../data/format/tile-id.ts";

/** From this zoom on a tile contains every feature that meets it. */
export const EXACT_ZOOM = 14;
/** Pixels per side of a tile in MapLibre. */
const SIDE_PIXELS = 512;
/** One point represents those around it. */
const CELL_PIXELS = 4;

export interface Detail {
  /** Limit on bytes read per tile; a view of six tiles reads 2 MB. */
  readonly maxReadBytes: number;
  readonly maxTileBytes: number;
  /** Smaller shapes are left out, in degrees of longitude and latitude. */
  readonly leastSize: readonly [lon: number, lat: number];
  /** Cells per side of the tile, with one point each. */
  readonly cells: number;
}

const WHOLE: Detail = {
  maxReadBytes: Number.POSITIVE_INFINITY,
  maxTileBytes: Number.POSITIVE_INFINITY,
  leastSize: [0, 0],
  cells: Number.POSITIVE_INFINITY,
};

/** Returns the limits of a tile, by its zoom. There are none from `EXACT_ZOOM` on. */
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

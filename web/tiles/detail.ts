/**
 * How much of a dataset a tile of a zoom shows, and may read.
 * @module
 */
import { type TilePlace, tileBBox } from "../../data/format/tile-place.ts";

/** From this zoom on a tile holds every feature that meets it. */
export const EXACT_ZOOM = 14;
/** Pixels of a tile's side, as MapLibre draws it. */
const SIDE_PIXELS = 512;
/** One point stands for those around it. */
const CELL_PIXELS = 4;

export interface Detail {
  /** Bytes that may be read for it; those of a view of six tiles come to 2 MB. */
  readonly maxReadBytes: number;
  readonly maxTileBytes: number;
  /** Smaller shapes are left out, degrees of longitude and latitude. */
  readonly leastSize: readonly [lon: number, lat: number];
  /** Cells to each side of the tile with one point each. */
  readonly cells: number;
}

const WHOLE: Detail = {
  maxReadBytes: Number.POSITIVE_INFINITY,
  maxTileBytes: Number.POSITIVE_INFINITY,
  leastSize: [0, 0],
  cells: Number.POSITIVE_INFINITY,
};

/** The detail of a tile. */
export function detailOf(place: TilePlace): Detail {
  if (place.z >= EXACT_ZOOM) return WHOLE;
  const [west, south, east, north] = tileBBox(place);
  return {
    maxReadBytes: place.z >= 12 ? 1_000_000 : 330_000,
    maxTileBytes: place.z >= 12 ? 500_000 : 330_000,
    leastSize: [(east - west) / SIDE_PIXELS, (north - south) / SIDE_PIXELS],
    cells: SIDE_PIXELS / CELL_PIXELS,
  };
}

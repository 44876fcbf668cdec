/** Web Mercator tiles by zoom, column and row. @module */
import { type BBox, wrapLon } from "./bbox.ts";

/** A map tile: zoom level, column from the west, row from the north. */
export interface TileId {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the tile's box in degrees, enlarged by `margin` tiles on each side. Longitudes may then exceed 180 or -180.
 */
export function tileBBox({ z, x, y }: TileId, margin = 0): BBox {
  const tiles = 2 ** z;
  const lon = (column: number) => (column / tiles) * 360 - 180;
  const lat = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / tiles))) * 180) / Math.PI;
  return [lon(x - margin), lat(y + 1 + margin), lon(x + 1 + margin), lat(y - margin)];
}

/** Returns the tile of the lower zoom level `zoom` that contains the tile. */
export function parentTile({ z, x, y }: TileId, zoom: number): TileId {
  const shift = 2 ** (z - zoom);
  return { z: zoom, x: Math.floor(x / shift), y: Math.floor(y / shift) };
}

/** Latitude at the edge of the map. */
const MAX_LATITUDE = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

interface Position {
  readonly lon: number;
  readonly lat: number;
}

/**
 * Returns a position in degrees as shares of the map's width and height from its north-west corner, 0 to 1. Latitudes
 * beyond the map's edge are moved to it.
 */
export function shareOfWorld({ lon, lat }: Position): readonly [x: number, y: number] {
  const north = Math.asinh(Math.tan((Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat)) * Math.PI) / 180));
  return [lon / 360 + 0.5, (1 - north / Math.PI) / 2];
}

/** Returns the tile of zoom level `z` that contains the position in degrees; beyond the map's edge, the nearest one. */
export function tileAt(position: Position, z: number): TileId {
  const tiles = 2 ** z;
  const [x, y] = shareOfWorld(position);
  const at = (share: number) => Math.max(0, Math.min(tiles - 1, Math.floor(share * tiles)));
  return { z, x: at(x), y: at(y) };
}

/**
 * Returns the tile's box in degrees, enlarged by `margin` tiles on each side. It ends at the map's edge in the north
 * and south, and may cross the antimeridian.
 */
export function globeBBox(place: TileId, margin: number): BBox {
  const [west, south, east, north] = tileBBox(place, margin);
  const isAround = east - west >= 360;
  return [
    isAround ? -180 : wrapLon(west),
    Math.max(south, -MAX_LATITUDE),
    isAround ? 180 : wrapLon(east),
    Math.min(north, MAX_LATITUDE),
  ];
}

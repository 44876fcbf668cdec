import { type BBox, wrapLon } from "../../data/format/bbox.ts";

interface Bounds {
  getWest(): number;
  getSouth(): number;
  getEast(): number;
  getNorth(): number;
}

/**
 * Returns the box that the map shows, in degrees; at most the world. West is greater than east if it crosses the antimeridian.
 */
export function shownBoxOf(map: { getBounds(): Bounds }): BBox {
  const bounds = map.getBounds();
  const [west, south, east, north] = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
  return east - west >= 360 ? [-180, south, 180, north] : [wrapLon(west), south, wrapLon(east), north];
}

/**
 * What a text in the search box says by itself, and how far around a town a search goes.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { Centre } from "./search.ts";

/** A town whose outline is not known is searched this far; one that is, within these bounds. */
const TOWN_RADIUS_METERS = 3000;
const MIN_RADIUS_METERS = 500;
const MAX_RADIUS_METERS = 50_000;
const METERS_PER_DEGREE = 111_195;

/** The radius that holds most of a box around its middle, in round numbers. */
export function radiusOf(bbox: BBox | undefined): number {
  if (!bbox) return TOWN_RADIUS_METERS;
  const [west, south, east, north] = bbox;
  const width = (east < west ? east - west + 360 : east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180);
  const meters = (Math.max(width, north - south) / 2) * METERS_PER_DEGREE;
  const rounded = Number(meters.toPrecision(1));
  return Math.min(MAX_RADIUS_METERS, Math.max(MIN_RADIUS_METERS, rounded));
}

/** Latitude and longitude as people write them: `40.01, -105.27` or `40.01° N 105.27° W`. */
export function parsePoint(text: string): Centre | undefined {
  const match = /^\s*([+-]?\d+(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*([+-]?\d+(?:\.\d+)?)\s*°?\s*([EW])?\s*$/i.exec(
    text,
  );
  if (!match) return undefined;
  const [, latText, northSouth = "N", lonText, eastWest = "E"] = match;
  const lat = Number(latText) * (northSouth.toUpperCase() === "S" ? -1 : 1);
  const lon = Number(lonText) * (eastWest.toUpperCase() === "W" ? -1 : 1);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lon, lat } : undefined;
}

/** Whether the text has the form of an id of Overture's: a UUID, or 32 hexadecimal digits. */
export function isRecordId(text: string): boolean {
  return /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text.trim());
}

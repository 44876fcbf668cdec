/** Finds the densest part of a collection in the manifest, for the first view and an example search. @module */
import type { BBox } from "./bbox.ts";
import type { ManifestCollection } from "./manifest.ts";
import { METERS_PER_DEGREE, metersBetween, toRadians } from "./sphere.ts";

/** A circle that contains rows of the collection. */
export interface Focus {
  readonly lat: number;
  readonly lon: number;
  readonly radiusMeters: number;
  /** Country of all rows in the box of the circle; undefined if there may be several. */
  readonly country: string | undefined;
}

/** A larger circle is of no use: it shows no town. */
const MAX_RADIUS_METERS = 50_000;
const MIN_RADIUS_METERS = 100;
/** Minimum size of a box, because a single row has no size. */
const LEAST_SIDE_METERS = 1000;

/**
 * Returns the circle around the node at the root of the index of `location` that has the most rows per area. It
 * contains the node's whole box, so a search in it has results. Undefined if each circle would have a radius of more
 * than 50 km.
 */
export function focusOf({ runs, countries }: ManifestCollection): Focus | undefined {
  const [only, ...others] = Object.keys(countries);
  let densest: { readonly focus: Focus; readonly density: number } | undefined;
  for (const node of runs.location.nodes) {
    const circle = circleAround(node.bbox);
    if (node.rows === 0 || circle.radiusMeters > MAX_RADIUS_METERS) continue;
    const density = node.rows / areaOf(node.bbox);
    if (densest && density <= densest.density) continue;
    const country = "country" in node ? node.country : others.length === 0 ? only : undefined;
    densest = { focus: { ...circle, country }, density };
  }
  return densest?.focus;
}

function circleAround(bbox: BBox): Pick<Focus, "lat" | "lon" | "radiusMeters"> {
  const [west, south, , north] = bbox;
  const width = widthOf(bbox);
  const lon = west + width / 2;
  const middle = { lat: rounded((south + north) / 2), lon: rounded(lon > 180 ? lon - 360 : lon) };
  const corners = [south, north].flatMap((lat) => [west, west + width].map((edge) => ({ lat, lon: edge })));
  const meters = Math.max(MIN_RADIUS_METERS, ...corners.map((corner) => metersBetween(middle, corner)));
  const step = 10 ** Math.floor(Math.log10(meters));
  return { ...middle, radiusMeters: Math.ceil(meters / step) * step };
}

function areaOf(bbox: BBox): number {
  const [, south, , north] = bbox;
  const across = widthOf(bbox) * Math.cos(toRadians((south + north) / 2));
  const side = (degrees: number) => Math.max(LEAST_SIDE_METERS, degrees * METERS_PER_DEGREE);
  return side(across) * side(north - south);
}

function widthOf([west, , east]: BBox): number {
  return east < west ? east - west + 360 : east - west;
}

/** Rounds to about 10 m. */
function rounded(degrees: number): number {
  return Number(degrees.toFixed(4));
}

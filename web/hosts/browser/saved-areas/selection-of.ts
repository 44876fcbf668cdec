/**
 * Selects the parts of a dataset for a saved area: for searches, and for the map in whole tiles, so that no tile at
 * the edge is empty.
 * @module
 */
import { type BBox, wrapLon } from "../../../../data/format/bbox.ts";
import type { CollectionName } from "../../../../data/format/collections.ts";
import { EARTH_RADIUS_METERS, toRadians } from "../../../../data/format/sphere.ts";
import { tileAt, tileBBox } from "../../../../data/format/tile-id.ts";
import type { AreaSelection, AreaShape, Circle } from "../../../engine/index.ts";
import { type AreaChoice, collectionsAt } from "../protocol/index.ts";
import { enclosingCircle } from "./enclosing-circle.ts";

/** Returns which parts of the dataset the user's choice needs. */
export function selectionOf({ shape, collections, hasNames, hasBaseMap }: AreaChoice): AreaSelection {
  return {
    shape,
    collections,
    hasNames,
    around: [...searchedAround(shape, collections), ...(hasBaseMap ? baseMapOf(shape) : [])],
  };
}

/** Returns the box of the circle around a drawn area, which searches in it use. */
function searchedAround(
  shape: AreaShape,
  collections: readonly CollectionName[],
): NonNullable<AreaSelection["around"]> {
  if (shape.kind !== "bbox") return [];
  const bbox = circleBox(enclosingCircle(shape.bbox));
  return collections.map((collection) => ({ collection, bbox }));
}

/** Lowest zoom for which tiles are stored. Coarser tiles would need much of a country for one village. */
const FIRST_ZOOM = 12;
const LAST_ZOOM = 14;
/** Distance around a tile, in widths of a tile, within which it also reads coastlines and towns. */
const MARGIN = 1;
const MAX_LAT = 85;

/**
 * Returns the boxes of each collection that the base map needs at zooms 12 to 14. Empty for a country, whose own rows are enough.
 */
export function baseMapOf(shape: AreaShape): { readonly collection: CollectionName; readonly bbox: BBox }[] {
  if (shape.kind === "country") return [];
  const box = shape.kind === "bbox" ? shape.bbox : circleBox(shape);
  const known = new Map<CollectionName, BBox>();
  for (let zoom = FIRST_ZOOM; zoom <= LAST_ZOOM; zoom++) {
    for (const collection of collectionsAt(zoom)) {
      const margin = collection === "water" || collection === "division" ? MARGIN : 0;
      if (!known.has(collection)) known.set(collection, wholeTiles(box, zoom, margin));
    }
  }
  return [...known].map(([collection, bbox]) => ({ collection, bbox }));
}

function wholeTiles([west, south, east, north]: BBox, z: number, margin: number): BBox {
  const [left, , , top] = tileBBox(tileAt({ lon: west, lat: north }, z), margin);
  const [, bottom, right] = tileBBox(tileAt({ lon: east, lat: south }, z), margin);
  return [wrapLon(left), bottom, wrapLon(right), top];
}

/** Returns the bbox of a circle in degrees. `west` is greater than `east` if it crosses the antimeridian. */
export function circleBox({ lon, lat, radiusMeters }: Circle): BBox {
  const reach = radiusMeters / EARTH_RADIUS_METERS / toRadians(1);
  const cos = Math.cos(toRadians(Math.min(MAX_LAT, Math.abs(lat) + reach)));
  const wide = Math.min(180, reach / cos);
  const [south, north] = [Math.max(-90, lat - reach), Math.min(90, lat + reach)];
  return wide >= 180 ? [-180, south, 180, north] : [wrapLon(lon - wide), south, wrapLon(lon + wide), north];
}

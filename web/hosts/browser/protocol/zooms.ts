import type { CollectionName } from "../../../../data/format/collections.ts";

/** The highest zoom of the world outlines; the map enlarges them beyond it. */
export const WORLD_MAX_ZOOM = 7;

/** From here on tiles have main roads and towns. */
export const LOCAL_MIN_ZOOM = 7;
/** From here on tiles have the coast of the dataset. */
export const COAST_ZOOM = 11;
/** Smaller tiles read fewer partitions in a close view. */
export const LOCAL_MAX_ZOOM = 15;

export const PLACES_MIN_ZOOM = 14;
/** From here on tiles have names of bus stops. */
export const STOPS_MIN_ZOOM = 16;
/** From here on tiles have house numbers. The map enlarges these tiles. */
export const PLACES_MAX_ZOOM = 17;

/**
 * A collection is read only where its features are large enough to see: coarser tiles would read much of a dataset
 * for nothing.
 */
const FROM_ZOOM: readonly (readonly [name: CollectionName, zoom: number])[] = [
  ["division", 11],
  ["division_area", 11],
  ["land_cover", 12],
  ["land", 12],
  ["land_use", 12],
  ["water", 12],
  ["segment", 13],
  ["building", 14],
];

/** Returns the collections drawn at a zoom. */
export function collectionsAt(zoom: number): CollectionName[] {
  return FROM_ZOOM.flatMap(([name, from]) => (zoom >= from ? [name] : []));
}

import type { CollectionName } from "../../../../data/format/collections.ts";

/** The highest zoom of the world outlines; the map enlarges them beyond it. */
export const WORLD_MAX_ZOOM = 7;

/** Lowest zoom at which tiles have main roads and towns. */
export const LOCAL_MIN_ZOOM = 7;
/** Lowest zoom at which tiles have the coast of the dataset. */
export const COAST_ZOOM = 11;
/** Highest zoom of tiles made from the dataset: smaller tiles read fewer partitions in a close view. */
export const LOCAL_MAX_ZOOM = 15;

export const PLACES_MIN_ZOOM = 14;
/** Lowest zoom at which tiles have names of bus stops. */
export const STOPS_MIN_ZOOM = 16;
/** Highest zoom of tiles of places, and the only one with house numbers. The map enlarges these tiles beyond it. */
export const PLACES_MAX_ZOOM = 17;

/**
 * The lowest zoom at which a collection is read: below it, its features are too small to see, and a tile would read much of a
 * dataset.
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

/** Returns the collections that are drawn at a zoom. */
export function collectionsAt(zoom: number): CollectionName[] {
  return FROM_ZOOM.flatMap(([name, from]) => (zoom >= from ? [name] : []));
}

import type { CollectionName } from "../../../../data/format/collections.ts";

/** Finest zoom the world's outlines are worth drawing at; the map enlarges beyond it. */
export const WORLD_MAX_ZOOM = 7;

export const LOCAL_MIN_ZOOM = 11;
/** The finer the tiles, the fewer partitions a close look reads. */
export const LOCAL_MAX_ZOOM = 15;

/** A collection is read only where its features can be seen: coarser tiles would read much of a dataset for specks. */
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

export function collectionsAt(zoom: number): CollectionName[] {
  return FROM_ZOOM.flatMap(([name, from]) => (zoom >= from ? [name] : []));
}

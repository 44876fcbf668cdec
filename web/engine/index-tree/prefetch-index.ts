/**
 * Reads index pages before a search needs them, which saves the search a round trip.
 * @module
 */

import { nearestInBBox } from "../../../data/format/bbox-distance.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { originAt } from "../../../data/format/sphere.ts";
import { findPartitions, type Index, isPageRef, leavesOf, type PageRef, type PartitionRef } from "./tree.ts";

/** Where the next search is likely. */
export interface Near {
  /** Degrees WGS84. */
  readonly lon: number;
  readonly lat: number;
  readonly collections: readonly CollectionName[];
}

/** The default radius of a search around a point. */
const NEAR_METERS = 1000;

/**
 * Reads the index pages for a circle of 1 km around the position. Returns the partitions there. Throws `FetchError` when a page
 * cannot be read.
 */
export async function prefetchNear(
  index: Index,
  { lon, lat, collections }: Near,
): Promise<readonly PartitionRef<"location">[]> {
  const origin = originAt(lon, lat);
  const found: PartitionRef<"location">[] = [];
  for (const collection of collections) {
    const around = await findPartitions(
      index,
      { collection, run: "location" },
      ({ bbox }) => nearestInBBox(origin, bbox) <= NEAR_METERS,
    );
    found.push(...around);
  }
  return found;
}

/**
 * Reads the index pages that searches in a circle need, small collections first, level by level. If a level needs more than is
 * left of `maxBytes`, skips it and all levels below it. Throws `FetchError` when a page cannot be read.
 */
export async function prefetchIndex(index: Index, maxBytes: number): Promise<void> {
  let leftBytes = maxBytes;
  const collections = Object.keys(index.manifest.collections) as CollectionName[];
  const bytesOf = (collection: CollectionName) => sizeOf(unreadPages(index, collection));
  for (const collection of collections.toSorted((a, b) => bytesOf(a) - bytesOf(b))) {
    leftBytes = await readLevels(index, collection, leftBytes);
  }
}

/**
 * Reads complete levels of the index of locations, as long as the next level fits into `maxBytes`. Returns the bytes that are
 * left.
 */
export async function readLevels(index: Index, collection: CollectionName, maxBytes: number): Promise<number> {
  let leftBytes = maxBytes;
  let level = unreadPages(index, collection);
  while (level.length > 0 && sizeOf(level) <= leftBytes) {
    leftBytes -= sizeOf(level);
    await index.readPages(level);
    level = unreadPages(index, collection);
  }
  return leftBytes;
}

function unreadPages(index: Index, collection: CollectionName): PageRef[] {
  return leavesOf(index, { collection, run: "location" }, () => true).filter(isPageRef);
}

function sizeOf(pages: readonly PageRef[]): number {
  return pages.reduce((sum, { node }) => sum + node.bytes, 0);
}

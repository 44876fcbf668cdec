/**
 * Index pages read before a search needs them: it asks for its partitions at once then, a round trip sooner.
 * @module
 */

import { nearestInBBox } from "../../../data/format/bbox-distance.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { originAt } from "../../../data/format/sphere.ts";
import { findPartitions, type Index, isPageRef, leavesOf, type PageRef } from "./tree.ts";

/** Where the next search is likely. */
export interface Near {
  /** Degrees WGS84. */
  readonly lon: number;
  readonly lat: number;
  readonly collections: readonly CollectionName[];
}

export interface PrefetchOptions {
  /** Most bytes of levels that are read whole. */
  readonly maxBytes: number;
  readonly near?: Near | undefined;
}

/** What people search around a point unless they say otherwise. */
const NEAR_METERS = 1000;

/**
 * Reads pages that searches in a circle need: first those of the place that is likely, then those of whole collections, small ones first, level by level.
 * A level that is larger than what is left of `maxBytes` is left out, and what lies below it. Throws `FetchError` when a page cannot be had.
 */
export async function prefetchIndex(index: Index, { maxBytes, near }: PrefetchOptions): Promise<void> {
  if (near) {
    const origin = originAt(near.lon, near.lat);
    for (const collection of near.collections) {
      await findPartitions(
        index,
        { collection, run: "location" },
        ({ bbox }) => nearestInBBox(origin, bbox) <= NEAR_METERS,
      );
    }
  }
  let leftBytes = maxBytes;
  const collections = Object.keys(index.manifest.collections) as CollectionName[];
  const bytesOf = (collection: CollectionName) => sizeOf(unreadPages(index, collection));
  for (const collection of collections.toSorted((a, b) => bytesOf(a) - bytesOf(b))) {
    leftBytes = await readLevels(index, collection, leftBytes);
  }
}

/** Reads the levels of the index that fit into so many bytes, each whole, and tells how many of these are left. */
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

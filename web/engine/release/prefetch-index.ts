/**
 * Index pages read before a search needs them: it asks for its partitions at once then, a round trip sooner.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { type IndexNode, isPage, type PageNode } from "../../../data/format/manifest.ts";
import { originAt } from "../../../data/format/sphere.ts";
import { nearestInBBox } from "../plan/bbox-distance.ts";
import type { Release } from "./release.ts";

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
export async function prefetchIndex(
  release: Release,
  { maxBytes, near }: PrefetchOptions,
  signal?: AbortSignal,
): Promise<void> {
  const read = (collection: CollectionName, pages: readonly PageNode[]) =>
    Promise.all(pages.map((page) => release.readPage(collection, page, signal)));
  const below = (pages: readonly PageNode[]) => pages.flatMap((page) => pagesOf(release.childrenOf(page) ?? []));
  const collections = Object.entries(release.manifest.collections).map(
    ([name, { runs }]) => [name as CollectionName, pagesOf(runs.location.nodes)] as const,
  );

  async function readNear({ lon, lat, collections: wanted }: Near): Promise<void> {
    const origin = originAt(lon, lat);
    const areNear = (pages: readonly PageNode[]) =>
      pages.filter(({ bbox }) => nearestInBBox(origin, bbox) <= NEAR_METERS);
    for (const [collection, roots] of collections.filter(([name]) => wanted.includes(name))) {
      for (let level = areNear(roots); level.length > 0; level = areNear(below(level))) await read(collection, level);
    }
  }

  if (near) await readNear(near);
  let leftBytes = maxBytes;
  for (const [collection, roots] of collections.toSorted(([, a], [, b]) => bytesOf(a) - bytesOf(b))) {
    for (let level = roots; level.length > 0 && bytesOf(level) <= leftBytes; level = below(level)) {
      leftBytes -= bytesOf(level);
      await read(collection, level);
    }
  }
}

function pagesOf(nodes: readonly IndexNode[]): PageNode[] {
  return nodes.filter(isPage);
}

function bytesOf(pages: readonly PageNode[]): number {
  return pages.reduce((sum, { bytes }) => sum + bytes, 0);
}

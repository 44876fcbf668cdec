/**
 * Index pages read before a search needs them: it asks for its partitions at once then, a round trip sooner.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { type IndexNode, isPage, type PageNode } from "../../../data/format/manifest.ts";
import type { Release } from "./release.ts";

/**
 * Reads the pages that searches in a circle need, those of small collections first, level by level: a level that is larger than what is
 * left of `maxBytes` is left out, and what lies below it. Throws `FetchError` when a page cannot be had.
 */
export async function prefetchIndex(release: Release, maxBytes: number, signal?: AbortSignal): Promise<void> {
  const collections = Object.entries(release.manifest.collections).map(
    ([name, { runs }]) => [name as CollectionName, pagesOf(runs.location.nodes)] as const,
  );
  let leftBytes = maxBytes;
  for (const [collection, roots] of collections.toSorted(([, a], [, b]) => bytesOf(a) - bytesOf(b))) {
    let level = roots;
    while (level.length > 0 && bytesOf(level) <= leftBytes) {
      leftBytes -= bytesOf(level);
      await Promise.all(level.map((page) => release.readPage(collection, page, signal)));
      level = level.flatMap((page) => pagesOf(release.childrenOf(page) ?? []));
    }
  }
}

function pagesOf(nodes: readonly IndexNode[]): PageNode[] {
  return nodes.filter(isPage);
}

function bytesOf(pages: readonly PageNode[]): number {
  return pages.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Walks an untrusted index as a tree. It throws if a page occurs twice or is too deep: pages that refer to each other
 * would be an endless walk.
 *
 * @module
 */
import { type IndexNode, isPage, type PageNode } from "./manifest.ts";

/** Maximum depth of pages. Pages have 200 nodes and more: four levels are enough for a billion partitions. */
export const MAX_INDEX_DEPTH = 8;

/** Called with a page and the nodes in it, possibly more than once for a page. */
export type IndexCheck = (page: PageNode, nodes: readonly IndexNode[]) => void;

/**
 * Returns a check of an index with these roots. Call it for a page after the page above it. It calls `inspect` once per
 * page. It throws if a page occurs twice or is more than `MAX_INDEX_DEPTH` deep, or if `inspect` throws.
 */
export function createIndexCheck(roots: Iterable<IndexNode>, inspect: IndexCheck = () => {}): IndexCheck {
  /** Depth of each known page, 1 for a root. */
  const depths = new Map<string, number>();
  const checked = new Set<string>();

  function take(nodes: Iterable<IndexNode>, depth: number): void {
    for (const node of nodes) {
      if (!isPage(node)) continue;
      const name = `page ${node.sha256.slice(0, 16)}`;
      if (depths.has(node.sha256)) throw new Error(`the index names ${name} twice, expected once`);
      if (depth > MAX_INDEX_DEPTH) {
        throw new Error(`the index has ${name} ${depth} pages deep, expected at most ${MAX_INDEX_DEPTH}`);
      }
      depths.set(node.sha256, depth);
    }
  }

  take(roots, 1);
  return (page, nodes) => {
    if (checked.has(page.sha256)) return;
    inspect(page, nodes);
    take(nodes, (depths.get(page.sha256) ?? 0) + 1);
    checked.add(page.sha256);
  };
}

/**
 * Yields the nodes of a run in order, a page before its nodes. If `readPage` returns undefined, skips what is below the
 * page. Throws if a page occurs twice or is too deep.
 */
export async function* walkIndex(
  roots: readonly IndexNode[],
  readPage: (page: PageNode) => Promise<readonly IndexNode[] | undefined>,
): AsyncGenerator<IndexNode> {
  const check = createIndexCheck(roots);
  async function* walk(nodes: readonly IndexNode[]): AsyncGenerator<IndexNode> {
    for (const node of nodes) {
      yield node;
      const below = isPage(node) ? await readPage(node) : undefined;
      if (!isPage(node) || !below) continue;
      check(node, below);
      yield* walk(below);
    }
  }
  yield* walk(roots);
}

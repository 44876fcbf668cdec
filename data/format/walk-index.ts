/**
 * The index as a tree, whoever wrote it: a page stands in it once, and not too deep. Else a few pages that name each
 * other's children would be a walk without an end.
 * @module
 */
import { type IndexNode, isPage, type PageNode } from "./manifest.ts";

/** Most pages one below the other. Pages hold 200 nodes and more: four levels are a thousand million partitions. */
export const MAX_INDEX_DEPTH = 8;

/** Hears of each page that is read, with what it holds; of one page more than once if need be. */
export type IndexCheck = (page: PageNode, nodes: readonly IndexNode[]) => void;

/**
 * A check of the pages below the roots, to be told of a page after the one that names it. It throws when they are no tree, and what `inspect` throws,
 * which is called once for each page.
 */
export function createIndexCheck(roots: Iterable<IndexNode>, inspect: IndexCheck = () => {}): IndexCheck {
  /** Of each page that was named, 1 for a root. */
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
 * The nodes of a run in its order, a page before what it holds. What is below a page that cannot be had (undefined) is
 * left out. Throws when the pages are no tree.
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

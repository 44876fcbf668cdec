/** Writes pages of the index: those that name no others first, since a page tells where those stand that it names. @module */
import type { CollectionName } from "../../data/format/collections.ts";
import type { AnyRunName, IndexNode, PageNode } from "../../data/format/manifest.ts";
import { deflate, writePacks } from "../packs/index.ts";
import { type DraftNode, type DraftPage, isDraftPage, pageNode } from "./draft-pages.ts";

export interface PagesPlace {
  readonly folder: string;
  readonly collection: CollectionName;
  readonly packBytes: number;
}

export type Roots = ReadonlyMap<AnyRunName, readonly DraftNode[]>;

/** Writes the pages below the roots of a collection's runs; returns the roots as the manifest has them. */
export async function writePages(
  { folder, collection, packBytes }: PagesPlace,
  roots: Roots,
): Promise<Map<AnyRunName, IndexNode[]>> {
  const written = new Map<DraftPage, PageNode>();
  const finished = (node: DraftNode): IndexNode => {
    if (!isDraftPage(node)) return node;
    const page = written.get(node);
    if (!page) throw new Error(`${collection}: a page of the index stands in one that is written before it`);
    return page;
  };
  for (const level of levelsOf([...roots.values()].flat())) {
    const slices = level.map((page) => ({
      bytes: deflate(Buffer.from(textOf(page.members.map(finished)))),
      key: JSON.stringify(page.range),
      node: page,
    }));
    const made = await writePacks({ folder, collection, kind: "pages" }, placedSlices(slices), packBytes);
    for (const { page, sha256, bytes, pack, offset } of made) {
      written.set(page, pageNode(page, { sha256, bytes, pack, offset }));
    }
  }
  return new Map(Array.from(roots, ([run, nodes]) => [run, nodes.map(finished)]));
}

function placedSlices(slices: readonly { bytes: Uint8Array; key: string; node: DraftPage }[]) {
  return slices.map(({ bytes, key, node }) => ({ bytes, key, node: { page: node } }));
}

function textOf(nodes: readonly IndexNode[]): string {
  return `[\n${nodes.map((node) => JSON.stringify(node)).join(",\n")}\n]\n`;
}

/** The pages below the nodes by how high they stand over the partitions, the lowest first; in order. */
function levelsOf(nodes: readonly DraftNode[]): DraftPage[][] {
  const levels: DraftPage[][] = [];
  const heightOf = (node: DraftNode): number => {
    if (!isDraftPage(node)) return 0;
    const below = node.members.reduce((height, member) => Math.max(height, heightOf(member)), 0);
    const level = levels[below] ?? [];
    levels[below] = level;
    level.push(node);
    return below + 1;
  };
  for (const node of nodes) heightOf(node);
  return levels;
}

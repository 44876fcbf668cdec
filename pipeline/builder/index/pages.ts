/**
 * Writes pages of the index. A page is first a draft: its content is known, its position in a pack is not.
 * @module
 */
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { type AnyRunName, type IndexNode, isPage, type PageNode } from "../../../data/format/manifest.ts";
import { deflate, writePacks } from "../packs/index.ts";

interface DraftPage {
  readonly members: readonly DraftNode[];
  readonly rows: number;
  readonly bbox: BBox;
  /** Number of slices of the run below, at any depth. */
  readonly partitions: number;
  readonly range: Pick<PageNode, "first" | "last">;
}

/** A node of a written page, or a draft. */
export type DraftNode = IndexNode | DraftPage;

/** Returns true if the page is not written yet. */
export function isDraftPage(node: DraftNode): node is DraftPage {
  return "members" in node;
}

/** Returns true if the node is a page, written or not. */
export function isAnyPage(node: DraftNode): node is PageNode | DraftPage {
  return "partitions" in node;
}

/** Returns a draft of a page with these nodes of a run, in order. Throws without nodes. */
export function draftPage(run: AnyRunName, members: readonly DraftNode[]): DraftPage {
  return {
    members,
    rows: members.reduce((sum, { rows }) => sum + rows, 0),
    bbox: bboxUnion(members.map(({ bbox }) => bbox)),
    partitions: members.reduce((sum, member) => sum + (isAnyPage(member) ? member.partitions : 1), 0),
    range: run === "location" ? {} : rangeOf(members),
  };
}

function rangeOf(members: readonly DraftNode[]): Pick<PageNode, "first" | "last"> {
  const [first, last] = [members[0], members.at(-1)];
  if (!first || !last) throw new Error("an index page without nodes");
  return { first: edgeOf(first, "first"), last: edgeOf(last, "last") };
}

function edgeOf(node: DraftNode, edge: "first" | "last"): PageNode["first"] {
  if (isDraftPage(node)) return node.range[edge];
  if (isPage(node)) return node[edge];
  if ("segment" in node) return [node.country, node[`${edge}_id`]];
  if ("chunk" in node) return [node.country, ""];
  if ("first_term" in node) return [node.country, node[`${edge}_term`]];
  return undefined;
}

/** The node that refers to a written page. */
function pageNode({ rows, bbox, partitions, range }: Omit<DraftPage, "members">, slice: SliceOfPage): PageNode {
  return { ...slice, rows, bbox, partitions, ...range };
}

type SliceOfPage = Pick<PageNode, "sha256" | "bytes" | "pack" | "offset">;

/** As long as any real position. */
const LONGEST_SLICE: SliceOfPage = {
  sha256: "0".repeat(64),
  bytes: 99_999,
  pack: "0".repeat(16),
  offset: 999_999_999,
};

/** Returns the most bytes that the JSON of a node takes in a page. */
export function bytesOfNode(node: DraftNode): number {
  return Buffer.byteLength(JSON.stringify(isDraftPage(node) ? pageNode(node, LONGEST_SLICE) : node));
}

interface PagesTarget {
  readonly folder: string;
  readonly collection: CollectionName;
  readonly packBytes: number;
}

type Roots = ReadonlyMap<AnyRunName, readonly DraftNode[]>;

/**
 * Writes the lowest pages of each run, 99 % of an index, and returns the nodes of that level by run. The nodes below are in
 * memory only while their run is written.
 */
export async function writeLowestPages(
  { folder, collection, packBytes }: PagesTarget,
  runs: AsyncIterable<readonly [AnyRunName, readonly DraftNode[]]>,
): Promise<Map<AnyRunName, IndexNode[]>> {
  const lowest = new Map<AnyRunName, IndexNode[]>();
  async function* slices() {
    for await (const [run, nodes] of runs) {
      const mine: IndexNode[] = [];
      lowest.set(run, mine);
      for (const [index, node] of nodes.entries()) {
        if (!isDraftPage(node)) {
          mine[index] = node;
          continue;
        }
        const { members, ...page } = node;
        const bytes = deflate(Buffer.from(textOf(members.map((member) => written(collection, member)))));
        yield { bytes, key: JSON.stringify(page.range), node: { page, put: (made: PageNode) => (mine[index] = made) } };
      }
    }
  }
  for (const { page, put, ...slice } of await writePacks({ folder, collection, kind: "pages" }, slices(), packBytes)) {
    put(pageNode(page, slice));
  }
  return lowest;
}

function written(collection: CollectionName, node: DraftNode): IndexNode {
  if (isDraftPage(node)) throw new Error(`${collection}: a page of the index must be written after its members`);
  return node;
}

/** Writes the draft pages at and below the roots of each run. Returns the roots for the manifest, by run. */
export async function writePages(
  { folder, collection, packBytes }: PagesTarget,
  roots: Roots,
): Promise<Map<AnyRunName, IndexNode[]>> {
  const pages = new Map<DraftNode, PageNode>();
  const finished = (node: DraftNode): IndexNode => written(collection, pages.get(node) ?? node);
  for (const level of levelsOf([...roots.values()].flat())) {
    const slices = level.map((page) => ({
      bytes: deflate(Buffer.from(textOf(page.members.map(finished)))),
      key: JSON.stringify(page.range),
      node: page,
    }));
    const made = await writePacks({ folder, collection, kind: "pages" }, slicePositions(slices), packBytes);
    for (const { page, sha256, bytes, pack, offset } of made) {
      pages.set(page, pageNode(page, { sha256, bytes, pack, offset }));
    }
  }
  return new Map(Array.from(roots, ([run, nodes]) => [run, nodes.map(finished)]));
}

function slicePositions(slices: readonly { bytes: Uint8Array; key: string; node: DraftPage }[]) {
  return slices.map(({ bytes, key, node }) => ({ bytes, key, node: { page: node } }));
}

function textOf(nodes: readonly IndexNode[]): string {
  return `[\n${nodes.map((node) => JSON.stringify(node)).join(",\n")}\n]\n`;
}

/** The pages below the nodes by height above the partitions, the lowest first, in order. */
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

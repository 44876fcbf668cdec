/** Pages of the index before they are written: what each holds is settled, where it stands is not. @module */
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import type { AnyRunName, PageNode, PartitionNode } from "../../data/format/manifest.ts";

export interface DraftPage {
  readonly members: readonly DraftNode[];
  readonly rows: number;
  readonly bbox: BBox;
  /** Below it, at any depth. */
  readonly partitions: number;
  readonly range: Pick<PageNode, "first" | "last">;
}

export type DraftNode = PartitionNode | DraftPage;

export function isDraftPage(node: DraftNode): node is DraftPage {
  return "members" in node;
}

export function draftPage(run: AnyRunName, members: readonly DraftNode[]): DraftPage {
  return {
    members,
    rows: members.reduce((sum, { rows }) => sum + rows, 0),
    bbox: bboxUnion(members.map(({ bbox }) => bbox)),
    partitions: members.reduce((sum, member) => sum + (isDraftPage(member) ? member.partitions : 1), 0),
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
  if ("stretch" in node) return [node.country, node[`${edge}_id`]];
  if ("first_term" in node) return [node.country, node[`${edge}_term`]];
  return undefined;
}

/** The node of a page that stands there. */
export function pageNode({ rows, bbox, partitions, range }: DraftPage, slice: SliceOfPage): PageNode {
  return { ...slice, rows, bbox, partitions, ...range };
}

type SliceOfPage = Pick<PageNode, "sha256" | "bytes" | "pack" | "offset">;

/** As long as that of any page. */
const LONGEST_SLICE: SliceOfPage = {
  sha256: "0".repeat(64),
  bytes: 99_999,
  pack: "0".repeat(16),
  offset: 999_999_999,
};

/** How many bytes the node has in a page, or some more. */
export function bytesOfNode(node: DraftNode): number {
  return Buffer.byteLength(JSON.stringify(isDraftPage(node) ? pageNode(node, LONGEST_SLICE) : node));
}

/**
 * The index of a run: partitions in the manifest while they are few, else pages, until few remain.
 * @module
 */
import { createHash } from "node:crypto";
import { bboxUnion } from "../data/format/bbox.ts";
import { encodeGeohash, sizeClassOf } from "../data/format/geohash.ts";
import { type AnyRunName, type IndexNode, isPage, type PageNode, type PartitionNode } from "../data/format/manifest.ts";

/** Nodes of a run that stand in the manifest itself. */
const ROOT_NODES = 32;

/** Half of what the contract allows: one page is one round trip, and only a few of its nodes are needed. */
const PAGE_BYTES = 32 * 1024;

export interface IndexPage {
  readonly sha256: string;
  readonly text: string;
}

export interface IndexTree {
  readonly nodes: readonly IndexNode[];
  readonly pages: readonly IndexPage[];
}

/** The index over partitions that stand in the run's order. */
export function buildIndex(run: AnyRunName, partitions: readonly PartitionNode[]): IndexTree {
  let nodes: readonly IndexNode[] = run === "location" ? packInSpace(partitions) : partitions;
  const pages: IndexPage[] = [];
  while (nodes.length > ROOT_NODES) {
    const level = fill(nodes).map((members) => makePage(run, members));
    pages.push(...level.map(({ page }) => page));
    nodes = level.map(({ node }) => node);
  }
  return { nodes, pages };
}

/** Boxes of a size together, then neighbours, so that a page covers a compact region whatever the country. */
function packInSpace(partitions: readonly PartitionNode[]): PartitionNode[] {
  const keyed = partitions.map((node, place) => {
    const [west, south, east, north] = node.bbox;
    const lon = west <= east ? (west + east) / 2 : (((west + east + 360) / 2 + 180) % 360) - 180;
    return { node, place, sizeClass: sizeClassOf(node.bbox), geohash: encodeGeohash(lon, (south + north) / 2) };
  });
  keyed.sort((a, b) => a.sizeClass - b.sizeClass || a.geohash - b.geohash || a.place - b.place);
  return keyed.map(({ node }) => node);
}

/** Nodes as the lines of as few pages as hold them, evenly filled. */
function fill(nodes: readonly IndexNode[]): IndexNode[][] {
  const sizes = nodes.map((node) => Buffer.byteLength(writePage([node])));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const share = Math.min(PAGE_BYTES, total / Math.ceil(total / (PAGE_BYTES * 0.95)));
  const groups: IndexNode[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const [i, node] of nodes.entries()) {
    const size = sizes[i] ?? 0;
    if (used + size > PAGE_BYTES || used >= share) {
      groups.push([]);
      used = 0;
    }
    groups.at(-1)?.push(node);
    used += size;
  }
  return groups;
}

function makePage(run: AnyRunName, members: readonly IndexNode[]): { node: PageNode; page: IndexPage } {
  const text = writePage(members);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const node: PageNode = {
    sha256,
    bytes: Buffer.byteLength(text),
    rows: members.reduce((sum, { rows }) => sum + rows, 0),
    bbox: bboxUnion(members.map(({ bbox }) => bbox)),
    partitions: members.reduce((sum, member) => sum + (isPage(member) ? member.partitions : 1), 0),
    ...(run === "location" ? {} : rangeOf(run, members)),
  };
  return { node, page: { sha256, text } };
}

function rangeOf(
  run: Exclude<AnyRunName, "location">,
  members: readonly IndexNode[],
): Pick<PageNode, "first" | "last"> {
  const [first, last] = [members[0], members.at(-1)];
  if (!first || !last) throw new Error("an index page without nodes");
  return {
    first: isPage(first) ? first.first : [first.country, (run === "id" ? first.first_id : first.first_term) ?? ""],
    last: isPage(last) ? last.last : [last.country, (run === "id" ? last.last_id : last.last_term) ?? ""],
  };
}

function writePage(nodes: readonly IndexNode[]): string {
  return `[\n${nodes.map((node) => JSON.stringify(node)).join(",\n")}\n]\n`;
}

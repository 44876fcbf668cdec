import type { BBox } from "../../../data/format/bbox.ts";
import { cellSize, encodeGeohash, GEOHASH_BITS } from "../../../data/format/geohash.ts";
import { type AnyRunName, MAX_PAGE_BYTES, type PartitionNode } from "../../../data/format/manifest.ts";
import { bytesOfNode, type DraftNode, draftPage } from "./pages.ts";

const ROOT_NODES = 32;

/** Every visit fetches the manifest, and few need counts. */
const rootNodesOf = (run: AnyRunName): number => (run === "count_cell" || run === "table" ? 1 : ROOT_NODES);

/** Returns the lowest level of a run's index: pages of partitions, or the partitions if there are few. */
export function lowestLevel(run: AnyRunName, partitions: readonly PartitionNode[]): readonly DraftNode[] {
  return partitions.length > rootNodesOf(run) ? addLevel(run, partitions) : partitions;
}

/** Builds the index over nodes in the run's order: adds levels of pages until few nodes remain. Returns these roots. */
export function buildIndex(run: AnyRunName, lowest: readonly DraftNode[]): readonly DraftNode[] {
  let nodes = lowest;
  while (nodes.length > rootNodesOf(run)) nodes = addLevel(run, nodes);
  return nodes;
}

/** Adds one level of pages over the nodes. */
export function addLevel(run: AnyRunName, nodes: readonly DraftNode[]): readonly DraftNode[] {
  const sized = nodes.map((node): Sized => ({ node, bytes: bytesOfNode(node) }));
  const { groups, left } = run === "location" ? packInSpace(sized) : { groups: packInOrder(sized), left: [] };
  const pages = groups.map((members) =>
    draftPage(
      run,
      members.map(({ node }) => node),
    ),
  );
  return [...left, ...pages];
}

interface Sized {
  readonly node: DraftNode;
  readonly bytes: number;
}

/** Brackets, and a comma and a newline after each node. */
const FRAME_BYTES = 8;
const SEPARATOR_BYTES = 2;

/** Half of the readers' limit: a page costs one round trip, and only few of its nodes are needed. */
const ORDERED_PAGE_BYTES = MAX_PAGE_BYTES / 2;

/** Packs consecutive nodes into the smallest number of pages, evenly filled. */
function packInOrder(nodes: readonly Sized[]): Sized[][] {
  const most = ORDERED_PAGE_BYTES - FRAME_BYTES;
  const total = sizeOf(nodes);
  const share = Math.min(most, total / Math.ceil(total / (most * 0.95)));
  const groups: Sized[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const size = node.bytes + SEPARATOR_BYTES;
    if (used + size > most || used >= share) {
      groups.push([]);
      used = 0;
    }
    groups.at(-1)?.push(node);
    used += size;
  }
  return groups;
}

interface PackedInSpace {
  readonly groups: readonly Sized[][];
  /** Nodes too wide for any page. They stay on the level of the pages, where every search reads them. */
  readonly left: readonly DraftNode[];
}

/**
 * Halves the world by geohash until a cell's nodes fit a page, so that pages rarely overlap. Pages are half full on
 * average. With 119,000 partitions a circle of 1 km intersects 1.1 pages; in plain geohash order it intersects 4.3.
 */
function packInSpace(nodes: readonly Sized[]): PackedInSpace {
  const keyed = nodes.map((sized, index) => ({ sized, index, geohash: centreOf(sized.node.bbox) }));
  keyed.sort((a, b) => a.geohash - b.geohash || a.index - b.index);
  const groups: Sized[][] = [];
  const left: Sized[] = [];

  function halve(members: readonly (typeof keyed)[number][], geohash: number, bits: number): void {
    if (members.length === 0) return;
    const sized = members.map((member) => member.sized);
    if (sizeOf(sized) <= MAX_PAGE_BYTES - FRAME_BYTES) {
      const fitting = sized.filter(({ node }) => isAround(node.bbox, bits));
      // Keep a few nodes unpacked rather than add a page for them.
      if (fitting.length > sized.length / 2) {
        groups.push(fitting);
        left.push(...sized.filter((one) => !fitting.includes(one)));
      } else left.push(...sized);
      return;
    }
    if (bits === GEOHASH_BITS) {
      for (const group of packInOrder(sized)) groups.push(group);
      return;
    }
    const middle = geohash + 2 ** (GEOHASH_BITS - bits - 1);
    const cut = members.findIndex((member) => member.geohash >= middle);
    const low = cut === -1 ? members : members.slice(0, cut);
    halve(low, geohash, bits + 1);
    halve(members.slice(low.length), middle, bits + 1);
  }

  halve(keyed, 0, 0);
  // If no box fits a cell because all are wide, pack nodes in the run's order.
  if (left.length > nodes.length / MOST_LEFT) for (const group of packInOrder(left.splice(0))) groups.push(group);
  return { groups, left: left.map(({ node }) => node) };
}

const MOST_LEFT = 100;

/** At most twice as wide and high as a cell, so that it extends little beyond it. */
function isAround([west, south, east, north]: BBox, bits: number): boolean {
  const { widthDeg, heightDeg } = cellSize(bits);
  return (west <= east ? east - west : 360 + east - west) <= 2 * widthDeg && north - south <= 2 * heightDeg;
}

function centreOf([west, south, east, north]: BBox): number {
  const lon = west <= east ? (west + east) / 2 : (((west + east + 360) / 2 + 180) % 360) - 180;
  return encodeGeohash(lon, (south + north) / 2);
}

function sizeOf(nodes: readonly Sized[]): number {
  return nodes.reduce((sum, { bytes }) => sum + bytes + SEPARATOR_BYTES, 0);
}

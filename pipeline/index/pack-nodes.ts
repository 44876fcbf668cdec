/**
 * Which nodes of an index share a page.
 * @module
 */
import type { BBox } from "../../data/format/bbox.ts";
import { cellSize, encodeGeohash, GEOHASH_BITS } from "../../data/format/geohash.ts";
import { type IndexNode, MAX_PAGE_BYTES } from "../../data/format/manifest.ts";

export interface Sized {
  readonly node: IndexNode;
  /** As it stands in its page. */
  readonly text: string;
  readonly bytes: number;
}

/** What a page has besides: brackets around its nodes, and a comma and a line break after each. */
const FRAME_BYTES = 8;
const SEPARATOR_BYTES = 2;

/** Half of what the contract allows: one page is one round trip, and only a few of its nodes are needed. */
const ORDERED_PAGE_BYTES = MAX_PAGE_BYTES / 2;

/** Consecutive nodes, as few pages as hold them, evenly filled. */
export function packInOrder(nodes: readonly Sized[]): Sized[][] {
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

export interface PackedInSpace {
  readonly groups: readonly Sized[][];
  /** Nodes too large for any page: they stand beside the pages, where every search sees them. */
  readonly left: readonly IndexNode[];
}

/**
 * The geohash cells that hold a page full, whatever the countries: halved one bit at a time as the partitions are, so
 * that a page's box seldom overlaps another's. Pages are half full on average. On 119,000 partitions a circle of 1 km
 * meets 1.1 pages; of nodes in geohash order, as many to a page, 4.3.
 */
export function packInSpace(nodes: readonly Sized[]): PackedInSpace {
  const keyed = nodes.map((sized, place) => ({ sized, place, geohash: centreOf(sized.node.bbox) }));
  keyed.sort((a, b) => a.geohash - b.geohash || a.place - b.place);
  const groups: Sized[][] = [];
  const left: Sized[] = [];

  function halve(members: readonly (typeof keyed)[number][], geohash: number, bits: number): void {
    if (members.length === 0) return;
    const sized = members.map((member) => member.sized);
    if (sizeOf(sized) <= MAX_PAGE_BYTES - FRAME_BYTES) {
      const fitting = sized.filter(({ node }) => isAround(node.bbox, bits));
      // one page more is not worth a handful of nodes
      if (fitting.length > sized.length / 2) {
        groups.push(fitting);
        left.push(...sized.filter((one) => !fitting.includes(one)));
      } else left.push(...sized);
      return;
    }
    if (bits === GEOHASH_BITS) {
      groups.push(...packInOrder(sized));
      return;
    }
    const middle = geohash + 2 ** (GEOHASH_BITS - bits - 1);
    const cut = members.findIndex((member) => member.geohash >= middle);
    const low = cut === -1 ? members : members.slice(0, cut);
    halve(low, geohash, bits + 1);
    halve(members.slice(low.length), middle, bits + 1);
  }

  halve(keyed, 0, 0);
  // boxes that all reach far have no cells of their own: then it is neighbours in the order that share a page
  if (left.length > nodes.length / MOST_LEFT) groups.push(...packInOrder(left.splice(0)));
  return { groups, left: left.map(({ node }) => node) };
}

/** One node in so many may stand beside the pages. */
const MOST_LEFT = 100;

/** Whether the box is at most twice as wide and high as a cell: it then reaches little beyond the one of its middle. */
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

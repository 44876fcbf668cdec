import type { BBox } from "../../../data/format/bbox.ts";
import { cellSize, encodeGeohash, GEOHASH_BITS } from "../../../data/format/geohash.ts";
import { type AnyRunName, MAX_PAGE_BYTES, type PartitionNode } from "../../../data/format/manifest.ts";
import { bytesOfNode, type DraftNode, draftPage } from "./pages.ts";

const ROOT_NODES = 32;

/** Every visit fetches the manifest, and few need counts. */
const rootNodesOf = (run: AnyRunName): number => (run === "count_cell" || run === "table" ? 1 : ROOT_NODES);

/**
 * Runs with small pages while that many contain all partitions: a search needs few nodes, and reads whole pages. Their entries in the
 * manifest cost each visit about 100 bytes, so other runs have large pages.
 */
const SMALL_PAGES: Partial<Readonly<Record<AnyRunName, number>>> = { location: 10, records: 6, suggest: 6 };

/** Smallest target of a page, about twelve nodes. */
const SMALL_PAGE_BYTES = 5 * 1024;

/**
 * Returns the lowest level of a run's index: pages of slices, or the slices themselves if there are few. `isWhole` says
 * that these are all slices of the run.
 */
export function lowestLevel(
  run: AnyRunName,
  partitions: readonly PartitionNode[],
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): readonly DraftNode[] {
  if (partitions.length <= rootNodesOf(run)) return partitions;
  return (isWhole && smallPages(run, partitions)) || addLevel(run, partitions);
}

/** Undefined if the pages would be large, or more than the manifest has. */
function smallPages(run: AnyRunName, partitions: readonly PartitionNode[]): readonly DraftNode[] | undefined {
  const pages = SMALL_PAGES[run];
  if (pages === undefined) return undefined;
  const sized = partitions.map((node): Sized => ({ node, bytes: bytesOfNode(node) }));
  const most = Math.max(SMALL_PAGE_BYTES, sizeOf(sized) / pages);
  // One page of a few kilobytes costs less than two requests.
  if (sizeOf(sized) <= ORDERED_PAGE_BYTES || most > ORDERED_PAGE_BYTES) return undefined;
  const groups = run === "location" ? packInTiles(sized, most) : packInOrder(sized, most);
  return groups.length <= ROOT_NODES ? groups.map((group) => pageOf(run, group)) : undefined;
}

/**
 * Adds levels of pages above the nodes of a run, which are in order, until few nodes remain. Returns these, the roots.
 */
export function buildIndex(run: AnyRunName, lowest: readonly DraftNode[]): readonly DraftNode[] {
  let nodes = lowest;
  while (nodes.length > rootNodesOf(run)) nodes = addLevel(run, nodes);
  return nodes;
}

/** Returns one level of pages above the nodes. In the primary copy, nodes with a wide box stay without a page. */
export function addLevel(run: AnyRunName, nodes: readonly DraftNode[]): readonly DraftNode[] {
  const sized = nodes.map((node): Sized => ({ node, bytes: bytesOfNode(node) }));
  const { groups, left } = run === "location" ? packInSpace(sized) : { groups: packInOrder(sized), left: [] };
  return [...left, ...groups.map((group) => pageOf(run, group))];
}

function pageOf(run: AnyRunName, group: readonly Sized[]): DraftNode {
  return draftPage(
    run,
    group.map(({ node }) => node),
  );
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
function packInOrder(nodes: readonly Sized[], pageBytes = ORDERED_PAGE_BYTES): Sized[][] {
  const most = pageBytes - FRAME_BYTES;
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

/** Wider boxes are packed apart, because each page with one is as wide. */
const WIDE_DEG = 60;

/**
 * Packs a few hundred nodes of any size into tiles: columns of equal numbers of nodes, cut from south to north. The slices of 243
 * countries take 3 pages of 17 at a point.
 */
function packInTiles(nodes: readonly Sized[], pageBytes: number): Sized[][] {
  const isWide = ({ node }: Sized) => widthOf(node.bbox) > WIDE_DEG;
  const rest = nodes.filter((one) => !isWide(one)).map((sized) => ({ sized, centre: centreOf(sized.node.bbox) }));
  rest.sort((a, b) => a.centre.lon - b.centre.lon);
  const pages = sizeOf(rest.map(({ sized }) => sized)) / pageBytes;
  const height = Math.ceil(rest.length / Math.max(1, Math.round(Math.sqrt(pages))));
  const groups: Sized[][] = [];
  for (let start = 0; start < rest.length; start += height) {
    const column = rest.slice(start, start + height).sort((a, b) => a.centre.lat - b.centre.lat);
    groups.push(
      ...packInOrder(
        column.map(({ sized }) => sized),
        pageBytes,
      ),
    );
  }
  return [...groups, ...packInOrder(nodes.filter(isWide), pageBytes)];
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
  const keyed = nodes.map((sized, index) => ({ sized, index, geohash: geohashOf(sized.node.bbox) }));
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
  return widthOf([west, south, east, north]) <= 2 * widthDeg && north - south <= 2 * heightDeg;
}

function widthOf([west, , east]: BBox): number {
  return west <= east ? east - west : 360 + east - west;
}

function geohashOf(bbox: BBox): number {
  const { lon, lat } = centreOf(bbox);
  return encodeGeohash(lon, lat);
}

function centreOf([west, south, east, north]: BBox): { readonly lon: number; readonly lat: number } {
  const lon = west <= east ? (west + east) / 2 : (((west + east + 360) / 2 + 180) % 360) - 180;
  return { lon, lat: (south + north) / 2 };
}

function sizeOf(nodes: readonly Sized[]): number {
  return nodes.reduce((sum, { bytes }) => sum + bytes + SEPARATOR_BYTES, 0);
}

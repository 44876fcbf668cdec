/**
 * Rows in a box, for drawing: all of them, or a share spread over the box if all take too many bytes. Index, points and
 * rows each have a share of the bytes.
 * @module
 */
import { type BBox, bboxIntersects } from "../../../data/format/bbox.ts";
import { isPage } from "../../../data/format/manifest.ts";
import type { BoxQuery } from "../contract/query.ts";
import { isPageRef, leavesOf, type NodeRef, type PartitionRef, partitionOf, unopened } from "../index-tree/tree.ts";
import { readPartitionPoints } from "../store/addressed-rows.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { type Candidate, chooseRows } from "./choose-rows.ts";
import { readRows } from "./read-page.ts";
import { spreadIndexes } from "./spread.ts";

interface FoundInBox {
  readonly rows: readonly RowRef[];
  /** Omitted rows. All rows below an unread page, and of an unread partition, count. */
  readonly leftOut: number;
}

/** Shares of the remaining bytes. */
export const PAGES_PART = 1 / 4;
const POINTS_PART = 1 / 3;

/**
 * Returns rows whose bbox meets the query's box. If they take more than `maxBytes`, returns a share of them from everywhere in
 * the box.
 */
export async function searchBox(session: Session, query: BoxQuery): Promise<FoundInBox> {
  const { bbox, maxBytes = Number.POSITIVE_INFINITY } = query;
  const found = await session.timed("read", () => partitionsIn(session, query, maxBytes * PAGES_PART));
  const points = evenly(found.partitions, (maxBytes - found.bytes) * POINTS_PART, ({ node }) => node.points.bytes);
  const measured = await session.timed("read", () =>
    Promise.all(points.taken.map((ref) => candidatesIn(session, ref, query))),
  );
  const candidates = measured.flatMap((each) => each.candidates);
  const left = { maxBytes: maxBytes - found.bytes - points.bytes, chunkBytes: chunkBytes(session, query) };
  const chosen = await inTurn(() => session.timed("execute", () => chooseRows(candidates, bbox, left)));
  const isAll = chosen.length === candidates.length;
  session.signal.throwIfAborted();
  const tooSmall = measured.reduce((sum, each) => sum + each.tooSmall, 0);
  return {
    // The share was chosen by the bytes of its records. The primary copy would take more.
    rows: await session.timed("read", () => readRows(session, chosen, isAll ? "cheapest" : "records")),
    leftOut: found.leftOut + rowsOf(points.left) + tooSmall + candidates.length - chosen.length,
  };
}

interface FoundPartitions {
  readonly partitions: readonly PartitionRef<"location">[];
  /** Of the pages above them. */
  readonly bytes: number;
  readonly leftOut: number;
}

/**
 * Returns the partitions that intersect the box. If their index pages take more than `maxBytes`, some are not opened, and their
 * rows are counted in `leftOut`.
 */
export async function partitionsIn(
  session: Session,
  { collection, bbox }: Pick<BoxQuery, "collection" | "bbox">,
  maxBytes: number,
): Promise<FoundPartitions> {
  const own = unopened(session);
  const closed = new Set<string>();
  let [bytes, leftOut] = [0, 0];
  for (;;) {
    const leaves = leavesOf(own, { collection, run: "location" }, (node) => {
      return !closed.has(node.sha256) && bboxIntersects(bbox, node.bbox);
    });
    const pages = leaves.filter(isPageRef);
    if (pages.length === 0) return { partitions: leaves.flatMap((leaf) => partitionOf(leaf) ?? []), bytes, leftOut };
    const wanted = evenly(pages, maxBytes - bytes, ({ node }) => node.bytes);
    for (const { node } of wanted.left) closed.add(node.sha256);
    bytes += wanted.bytes;
    leftOut += rowsOf(wanted.left);
    await own.readPages(wanted.taken);
  }
}

/** The rows of the partition that intersect the box and are large enough. */
async function candidatesIn(
  session: Session,
  ref: PartitionRef<"location">,
  { bbox, leastSize: [leastLon, leastLat] = [0, 0] }: BoxQuery,
): Promise<{ readonly candidates: readonly Candidate[]; readonly tooSmall: number }> {
  const points = await readPartitionPoints(session, ref);
  const { boxes } = points;
  const from = { ...points, ref };
  return inTurn(() => {
    const candidates: Candidate[] = [];
    let tooSmall = 0;
    for (let row = 0; row < points.rows; row++) {
      const box = [boxes[4 * row], boxes[4 * row + 1], boxes[4 * row + 2], boxes[4 * row + 3]] as unknown as BBox;
      const [width, height] = [box[2] - box[0], box[3] - box[1]];
      if (!bboxIntersects(bbox, box)) continue;
      const isPoint = width === 0 && height === 0;
      if (!isPoint && width < leastLon && height < leastLat) tooSmall += 1;
      else candidates.push({ from, row, box });
    }
    return { candidates, tooSmall };
  });
}

/** Approximate bytes of a page of the records' index. */
function chunkBytes({ manifest }: Session, { collection }: BoxQuery): number {
  return Math.max(
    0,
    ...(manifest.collections[collection]?.runs.records.nodes ?? []).filter(isPage).map(({ bytes }) => bytes),
  );
}

function rowsOf(refs: readonly NodeRef[]): number {
  return refs.reduce((sum, { node }) => sum + node.rows, 0);
}

/** The chosen and the other items of a list, both in its order. */
interface Taken<T> {
  readonly taken: readonly T[];
  readonly left: readonly T[];
  readonly bytes: number;
}

/** Returns as many items as the bytes allow, spread over the list; all of them if they fit. */
function evenly<T>(items: readonly T[], maxBytes: number, bytesOf: (item: T) => number): Taken<T> {
  const isTaken = new Uint8Array(items.length);
  let bytes = 0;
  for (const ordinal of spreadIndexes(items.length)) {
    const own = bytesOf(items[ordinal] as T);
    if (bytes + own > maxBytes) continue;
    bytes += own;
    isTaken[ordinal] = 1;
  }
  return {
    taken: items.filter((_, ordinal) => isTaken[ordinal]),
    left: items.filter((_, ordinal) => !isTaken[ordinal]),
    bytes,
  };
}

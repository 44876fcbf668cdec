/**
 * Shapes in a box with their values of a facet, for drawing. Points and posting lists contain both, so no row is read.
 * @module
 */
import { bboxIntersects } from "../../../data/format/bbox.ts";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import { partsIn } from "../../../data/format/geometry-parts.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import type { Shape, ShapeQuery } from "../contract/query.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import { boxAt, type PartitionPoints, readPartitionPoints } from "../store/addressed-rows.ts";
import { wholeGeometry } from "../store/long-geometries.ts";
import type { Session } from "../store/session.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { canAskTerms } from "../terms/conditions.ts";
import { numbersInRange, unreadBytes } from "../terms/posting-lists.ts";
import { bytesOf, postingRangeOf, type TermRun } from "../terms/term-index.ts";
import { PAGES_PART, partitionsIn } from "./search-box.ts";

/** Returns the shapes; undefined if they take too many bytes, or if there are no posting lists for the facet. */
export async function searchShapes(session: Session, query: ShapeQuery): Promise<readonly Shape[] | undefined> {
  const { collection, facet, values, maxBytes } = query;
  const found = await session.timed("read", () => partitionsIn(session, query, maxBytes * PAGES_PART));
  const { partitions, leftOut, bytes } = found;
  if (leftOut > 0) return undefined;
  const terms = values.map((value) => `${facet}:${value}`);
  const countries = new Set(partitions.map(({ node }) => node.country));
  const canAsk = (country: string) => canAskTerms(session.manifest, collection, country, { terms: [terms] });
  if (![...countries].every(canAsk)) return undefined;
  const lists = await Promise.all(
    Array.from(countries, async (country) => {
      const run: TermRun = { session, collection, run: "term", country };
      return { run, ranges: await Promise.all(terms.map((term) => postingRangeOf(run, term))) };
    }),
  );
  const points = partitions.map(({ node }) => node.points).filter((slice) => !session.isCached(slice));
  const listed = lists.reduce((sum, { run, ranges }) => sum + unreadBytes(run, ranges), 0);
  if (bytes + bytesOf(points) + listed > maxBytes) return undefined;

  const valueOfRow = new Map<number, string>();
  for (const { run, ranges } of lists) {
    const numbers = await Promise.all(ranges.map((range) => numbersInRange(run, range)));
    for (const [at, value] of values.entries()) {
      for (const number of numbers[at] ?? []) if (!valueOfRow.has(number)) valueOfRow.set(number, value);
    }
  }
  const shapes = (await Promise.all(partitions.map((ref) => shapesOf(session, ref, { query, valueOfRow })))).flat();
  const parts = shapes.reduce((sum, { points, row }) => sum + partsIn(points.geometry(row)), 0);
  if (bytes + bytesOf(points) + listed + parts * BLOCK_BYTES > maxBytes) return undefined;
  return Promise.all(
    shapes.map(async ({ ref, points, row, value }): Promise<Shape> => {
      return { geometry: readStoredGeometry(await wholeGeometry(session, ref, points, row)), value };
    }),
  );
}

interface StoredShape {
  readonly ref: PartitionRef<"location">;
  readonly points: PartitionPoints;
  readonly row: number;
  readonly value: string;
}

async function shapesOf(
  session: Session,
  ref: PartitionRef<"location">,
  { query, valueOfRow }: { readonly query: ShapeQuery; readonly valueOfRow: ReadonlyMap<number, string> },
): Promise<StoredShape[]> {
  const points = await readPartitionPoints(session, ref);
  return inTurn(() => {
    const shapes: StoredShape[] = [];
    for (let row = 0; row < points.rows; row++) {
      const value = valueOfRow.get(points.number(row));
      if (value === undefined || !bboxIntersects(query.bbox, boxAt(points, row))) continue;
      shapes.push({ ref, points, row, value });
    }
    return shapes;
  });
}

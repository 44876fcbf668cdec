/**
 * Searches in a circle or an area: where rows are is told by points, the rows of the page come from the records or from
 * the primary copy.
 * @module
 */
import type { Query, SearchReport } from "../contract/query.ts";
import type { Executor } from "../order/executor.ts";
import { planRegion } from "../plan/plan-region.ts";
import type { Region } from "../plan/region.ts";
import type { Progress, Step } from "../plan/step.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { searchable } from "../terms/conditions.ts";
import { matcherOf } from "./matcher.ts";
import { type PlacedRow, readPage } from "./read-page.ts";
import { createReading } from "./reading.ts";

/** The rows of a page, the number of all that match, and how they were found. */
export interface FoundPlace extends Pick<SearchReport, "sql" | "partitionsCounted" | "rowsScanned"> {
  readonly total: number;
  readonly rows: readonly RowRef[];
}

/** The rows of the query, which has the region. */
export async function searchPlace(
  session: Session,
  asked: Query,
  region: Region,
  executor: Executor,
): Promise<FoundPlace> {
  const query = { ...asked, collections: searchable(asked) };
  const reading = createReading(session, region);
  let step = await nextStep(session, query, region, reading.progress);
  if (step.kind === "read-points" && query.filters) {
    const { partitions } = step;
    const matcher = await session.timed("read", () => matcherOf(session, query, region, partitions));
    if (matcher.kind === "rows") return pageOfRows(matcher.rows, query);
    reading.matchWith(matcher);
  }
  while (step.kind === "read-points") {
    const { partitions } = step;
    await session.timed("read", () => reading.read(partitions));
    step = await nextStep(session, query, region, reading.progress);
  }
  const { start, countedRows, countedPartitions } = step;
  const lists = reading.lists();
  const end = start + query.limit;
  const measured = { lists, sorted: reading.sorted() };
  const ordered = await session.timed("execute", () => executor.order(measured, { start, end }, session.signal));
  session.signal.throwIfAborted();
  const placed = ordered.rows.flatMap(({ list, row, distanceMeters }): PlacedRow[] => {
    const from = lists[list];
    return from ? [{ from, row, distanceMeters }] : [];
  });
  const page = { placed, first: ordered.start, start, end, collections: query.collections };
  return {
    total: countedRows + reading.progress.matched,
    rows: await session.timed("read", () => readPage(session, page)),
    sql: ordered.sql,
    partitionsCounted: countedPartitions,
    rowsScanned: lists.reduce((sum, { distances }) => sum + distances.length, 0),
  };
}

/** What to read next, once the index pages for it are here. */
async function nextStep(
  session: Session,
  query: Query,
  region: Region,
  progress: Progress,
): Promise<Exclude<Step, { kind: "read-pages" }>> {
  for (;;) {
    const step = session.timed("plan", () => planRegion(query, region, session, progress));
    if (step.kind !== "read-pages") return step;
    await session.timed("read", () => session.readPages(step.pages));
  }
}

/** The page of rows that are all at hand, in order. */
function pageOfRows(rows: readonly RowRef[], { offset, limit }: Query): FoundPlace {
  return {
    total: rows.length,
    rows: rows.slice(offset, offset + limit),
    sql: [],
    partitionsCounted: 0,
    rowsScanned: rows.length,
  };
}

/**
 * Searches in a circle or an area. Points have the locations of rows. The rows of the page come from the records or from the
 * primary copy.
 * @module
 */
import type { Geometry } from "../../../data/format/geometry.ts";
import { HALF_CIRCUMFERENCE_METERS } from "../../../data/format/sphere.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import type { Circle, Query, SearchReport } from "../contract/query.ts";
import { orderMeasured } from "../order/order-measured.ts";
import { enoughOf, planRegion } from "../plan/plan-region.ts";
import { countBelow } from "../plan/ranks.ts";
import { type Region, regionOf } from "../plan/region.ts";
import type { Progress, Step } from "../plan/step.ts";
import { wholeGeometry } from "../store/long-geometries.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { searchable } from "../terms/conditions.ts";
import { boundTestedRows } from "../terms/filter.ts";
import { matcherOf } from "./matcher.ts";
import { type LocatedPage, type LocatedRow, readPage } from "./read-page.ts";
import { createReading, type ReadingOptions } from "./reading.ts";

/** The rows of a page, the number of all matches, and how they were found. */
export interface LocationResult extends Pick<SearchReport, "partitionsCounted" | "rowsScanned"> {
  readonly total: number;
  readonly rows: readonly RowRef[];
}

/** Returns the page of the query, and the number of all its rows. `region` is the region of the query, but may be smaller. */
export async function searchLocation(session: Session, asked: Query, region: Region): Promise<LocationResult> {
  const hasRows = asked.limit > 0;
  // Few rows are at a point. Whole outlines are too long to read them for nothing.
  const areAllRead = hasRows && !session.hasGeometry && asked.circle?.radiusMeters === 0 && asked.offset === 0;
  const found = await measureLocation(session, asked, region, { hasRows, areAllRead });
  if ("rows" in found) return found;
  const { page, ...counts } = found;
  return { ...counts, rows: await session.timed("read", () => readPage(session, page)) };
}

/** Returns the geometries of the first `limit` rows of the query from points, without reading the rows. */
export async function locationGeometries(session: Session, asked: Query, region: Region): Promise<readonly Geometry[]> {
  const found = await measureLocation(session, asked, region, { hasRows: false });
  const bytes = await Promise.all(
    "rows" in found
      ? found.rows.slice(0, asked.limit).map(({ rows, row }) => rows.geometry(row))
      : found.page.rows.slice(0, asked.limit).map(({ from, row }) => wholeGeometry(session, from.ref, from, row)),
  );
  return inTurn(() => bytes.map(readStoredGeometry));
}

interface MeasuredLocation extends Omit<LocationResult, "rows"> {
  readonly page: LocatedPage;
}

/** The page by its positions in points, or its rows if they are in memory already. */
async function measureLocation(
  session: Session,
  asked: Query,
  region: Region,
  options: ReadingOptions,
): Promise<LocationResult | MeasuredLocation> {
  const query = { ...asked, collections: searchable(session.manifest, asked) };
  const reading = createReading(session, region, options);
  let step = await nextStep(session, query, region, reading.progress);
  if (step.kind === "read-points" && query.filters) {
    const { partitions } = step;
    const matcher = await session.timed("read", () => matcherOf(session, query, region, partitions));
    if (matcher.kind === "rows") return pageOfRows(matcher.rows, query);
    reading.matchWith(matcher);
  }
  let tested = 0;
  while (step.kind === "read-points") {
    const { partitions } = step;
    tested += partitions.reduce((sum, { node }) => sum + node.rows, 0);
    boundTestedRows(query, tested);
    await session.timed("read", () => reading.read(partitions));
    step = await nextStep(session, query, region, reading.progress);
  }
  const { start, countedRows, countedPartitions, sureMeters } = step;
  const lists = reading.lists();
  const measured = { lists, sorted: reading.sorted() };
  const sure = enoughOf(query) < query.limit ? countBelow(measured.sorted, sureMeters) : Number.POSITIVE_INFINITY;
  const end = Math.min(start + query.limit, Math.max(start, sure));
  const ordered = await session.timed("execute", () => orderMeasured(measured, { start, end }));
  session.signal.throwIfAborted();
  const rows = ordered.rows.flatMap(({ list, row, distanceMeters }): LocatedRow[] => {
    const from = lists[list];
    return from ? [{ from, row, distanceMeters }] : [];
  });
  return {
    total: countedRows + reading.progress.matched,
    page: { rows, first: ordered.start, start, end, collections: query.collections },
    partitionsCounted: countedPartitions,
    rowsScanned: lists.reduce((sum, { distances }) => sum + distances.length, 0),
  };
}

/** Returns what to read next, after its index pages were read. */
export async function nextStep(
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

/** Returns the page of rows that are all in memory, in order. */
function pageOfRows(rows: readonly RowRef[], { offset, limit }: Query): LocationResult {
  return {
    total: rows.length,
    rows: rows.slice(offset, offset + limit),
    partitionsCounted: 0,
    rowsScanned: rows.length,
  };
}

interface NearestQuery extends Query {
  /** The rows come from within it. */
  readonly circle: Circle;
  readonly nearest: number;
}

const FIRST_RADIUS_METERS = 1000;

/**
 * Returns the page of the query among its `nearest` first rows. The total is at most `nearest`. The first circle that is
 * searched has the radius `firstMeters`, the next ones are larger.
 */
export async function searchNearest(
  session: Session,
  query: NearestQuery,
  firstMeters: number = firstRadius(query),
): Promise<LocationResult> {
  const { circle, area, nearest } = query;
  const limit = Math.max(0, Math.min(query.limit, nearest - query.offset));
  const page = { ...query, limit: Math.max(1, limit) };
  let radiusMeters = Math.min(firstMeters, circle.radiusMeters);
  for (;;) {
    const grown = { ...circle, radiusMeters };
    const region = regionOf({ circle: grown, ...(area ? { area } : {}) });
    if (!region) throw new Error("a circle is always a region");
    const found = await searchLocation(session, { ...page, circle: grown }, region);
    if (found.total >= nearest || radiusMeters >= circle.radiusMeters) {
      return { ...found, total: Math.min(found.total, nearest), rows: found.rows.slice(0, limit) };
    }
    radiusMeters = Math.min(circle.radiusMeters, nextRadius(radiusMeters, found.total, nearest));
  }
}

/** If the index counts the matches of its boxes, the plan reads from the nearest outwards. An area limits what is read. */
function firstRadius({ filters, country, area }: Query): number {
  return (filters || country !== undefined) && !area ? FIRST_RADIUS_METERS : Number.POSITIVE_INFINITY;
}

/** Enough area for a few more rows than requested, if they are spread like the found rows: 2 to 16 times the area. */
function nextRadius(radiusMeters: number, found: number, wanted: number): number {
  const factor = Math.max(Math.SQRT2, Math.min(4, 1.2 * Math.sqrt(wanted / found)));
  const next = radiusMeters * factor;
  return next < HALF_CIRCUMFERENCE_METERS ? next : Number.POSITIVE_INFINITY;
}

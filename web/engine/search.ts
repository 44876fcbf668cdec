/**
 * Runs a search: by location, or by lists of rows.
 * @module
 */
import { MAX_ORDERED_ROWS } from "../../data/format/limits.ts";
import { readStoredGeometry } from "../../data/format/stored-geometry.ts";
import type { LocatedRows, Order, Query, SearchReport } from "./contract/query.ts";
import { searchLists } from "./lists/search-lists.ts";
import { searchCounted } from "./location/search-counted.ts";
import { type LocationResult, locationGeometries, searchLocation, searchNearest } from "./location/search-location.ts";
import { preparedRegionOf } from "./plan/region.ts";
import { orderRows } from "./store/row-order.ts";
import type { RowRef } from "./store/rows.ts";
import type { Session } from "./store/session.ts";
import { isEmpty } from "./terms/filter.ts";

/** The result of a search: the rows of the page, and how they were found. */
export interface FoundRows {
  readonly total: number;
  readonly rows: readonly RowRef[];
  readonly report: SearchReport;
}

/** Returns the page of the query in the default order, the number of all its rows, and a report. Throws like `Dataset.search`. */
export async function searchRows(session: Session, query: Query): Promise<FoundRows> {
  const { total, rows, ...found } =
    (await searchByLocation(session, query)) ?? (await session.timed("read", () => searchLists(session, query)));
  session.signal.throwIfAborted();
  return {
    total,
    rows,
    report: {
      release: session.manifest.release,
      files: session.files,
      partitionsCounted: 0,
      rowsScanned: rows.length,
      isOrdered: false,
      ...found,
      milliseconds: session.milliseconds,
    },
  };
}

/** Returns the query for all matching rows on one page. A query without conditions then matches all rows. */
export function everythingOf(query: Query): Query {
  return { ...query, filters: query.filters ?? {}, offset: 0, limit: Number.MAX_SAFE_INTEGER };
}

/**
 * Returns the page in the query's `order`. If more than `MAX_ORDERED_ROWS` rows match, it has the default order, and
 * `report.isOrdered` is false.
 */
export async function searchOrdered(session: Session, query: Query & { readonly order: Order }): Promise<FoundRows> {
  const { order, offset, limit } = query;
  const { total } = await searchRows(session, { ...query, offset: 0, limit: 0 });
  if (total > MAX_ORDERED_ROWS) return searchRows(session, query);
  const all = await searchRows(session, { ...query, offset: 0, limit: MAX_ORDERED_ROWS });
  const rows = await orderRows(all.rows, order);
  return { ...all, rows: rows.slice(offset, offset + limit), report: { ...all.report, isOrdered: true } };
}

/** Returns the number of matching rows, and their geometries if at most `maxRows` match. Ignores `offset` and `limit`. */
export async function locateRows(session: Session, asked: Query, maxRows: number): Promise<LocatedRows> {
  const { total } = await searchRows(session, { ...asked, offset: 0, limit: 0 });
  if (total > maxRows) return { total, geometries: undefined };
  const query = { ...asked, offset: 0, limit: maxRows };
  const region = query.nearest === undefined && (await preparedRegionOf(query, session.signal));
  if (region) return { total, geometries: await locationGeometries(session, query, region) };
  const { rows } = await searchRows(session, query);
  return { total, geometries: rows.map(({ rows: own, row }) => readStoredGeometry(own.geometry(row))) };
}

async function searchByLocation(session: Session, asked: Query): Promise<LocationResult | undefined> {
  // A search without conditions counts rows by the index.
  const { filters, ...others } = asked;
  const query: Query = filters && !isEmpty(filters) ? asked : others;
  const { circle, nearest } = query;
  if (circle && nearest !== undefined) return searchNearest(session, { ...query, circle, nearest });
  const region = await preparedRegionOf(query, session.signal);
  return region && ((await searchCounted(session, query, region)) ?? searchLocation(session, query, region));
}

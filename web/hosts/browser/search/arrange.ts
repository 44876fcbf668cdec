/** Searches that need all matching rows: those ordered by a column of a table, and those for places that are open. @module */

import { type Json, textOf } from "../../../../data/format/json.ts";
import { MAX_ORDERED_ROWS } from "../../../../data/format/limits.ts";
import { collectionIn } from "../../../../data/format/own-collections.ts";
import { representativePoint } from "../../../../data/format/representative-point.ts";
import { type Dataset, type Feature, nextTask, type SearchReport } from "../../../engine/index.ts";
import { runSearch, type Search } from "../../../search/index.ts";
import { isOpenAt } from "../hours/index.ts";
import type { ColumnOrder, OpenFilter } from "../protocol/index.ts";

export interface Arranging {
  readonly order?: ColumnOrder | undefined;
  /** If set, only rows that are open at this time are kept. Milliseconds since 1970. */
  readonly openAt?: number | undefined;
}

export interface Arranged {
  readonly total: number;
  readonly body: readonly Feature[];
  readonly report: SearchReport;
  readonly open?: OpenFilter;
}

/** Number of rows that are handled before other calls get a turn. */
const SLICE_ROWS = 200;

/**
 * Returns the page of the search in the order, without closed rows. If more than `MAX_ORDERED_ROWS` rows match, they are neither
 * ordered nor filtered, and the report says so.
 */
export async function arrangedSearch(
  dataset: Dataset,
  search: Search,
  { order, openAt, signal }: Arranging & { readonly signal: AbortSignal },
): Promise<Arranged> {
  const { offset, limit } = search.query;
  const of = (query: Partial<Search["query"]>) =>
    runSearch(dataset, { ...search, query: { ...search.query, ...query } }, { signal });
  const { total } = await of({ offset: 0, limit: 0 });
  if (total > MAX_ORDERED_ROWS) {
    const result = await of({});
    const body = [...result.features(search.shown.properties)];
    return {
      total,
      body,
      report: result.report,
      ...(openAt === undefined ? {} : { open: { isApplied: false, unread: 0 } }),
    };
  }
  const result = await of({ offset: 0, limit: MAX_ORDERED_ROWS });
  const all = [...result.features()];
  const kept =
    openAt === undefined ? { rows: all, unread: 0 } : await openRows(all, { dataset, search, openAt, signal });
  const rows = order ? ordered(kept.rows, order) : kept.rows;
  return {
    total: rows.length,
    body: rows.slice(offset, offset + limit),
    report: { ...result.report, isOrdered: order !== undefined || result.report.isOrdered },
    ...(openAt === undefined ? {} : { open: { isApplied: true, unread: kept.unread } }),
  };
}

interface OpenRows {
  readonly dataset: Dataset;
  readonly search: Search;
  readonly openAt: number;
  readonly signal: AbortSignal;
}

async function openRows(
  all: readonly Feature[],
  { dataset, search, openAt, signal }: OpenRows,
): Promise<{ readonly rows: readonly Feature[]; readonly unread: number }> {
  const manifest = await dataset.manifest(signal);
  const columns = search.query.collections.flatMap((name) =>
    (collectionIn(manifest, name).own?.columns ?? []).flatMap(({ name: column, role }) =>
      role === "hours" ? [column] : [],
    ),
  );
  const rows: Feature[] = [];
  let unread = 0;
  for (const [index, feature] of all.entries()) {
    if (index % SLICE_ROWS === SLICE_ROWS - 1) {
      await nextTask();
      signal.throwIfAborted();
    }
    const isOpen = await isOpenNow(feature, columns, openAt);
    if (isOpen) rows.push(feature);
    else if (isOpen === undefined) unread += 1;
  }
  return { rows, unread };
}

async function isOpenNow(
  { geometry, properties }: Feature,
  columns: readonly string[],
  at: number,
): Promise<boolean | undefined> {
  const text = columns.map((column) => textOf(properties[column] ?? null)).find((one) => one);
  const [lon, lat] = representativePoint(geometry) ?? [];
  if (text === undefined || lon === undefined || lat === undefined) return undefined;
  return isOpenAt({ text, lon, lat, country: textOf(properties.country) ?? textOf(properties.ext_country), at });
}

/**
 * Returns the rows in the order of the column. Rows without a value come last in both directions. Rows with equal values keep
 * their order.
 */
function ordered(rows: readonly Feature[], { column, isDescending, language }: ColumnOrder): readonly Feature[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const cellOf = ({ properties }: Feature): Json => properties[column] ?? null;
  const isMissing = (value: Json) => value === null || value === "";
  return rows.toSorted((a, b) => {
    const [left, right] = [cellOf(a), cellOf(b)];
    if (isMissing(left) || isMissing(right)) return Number(isMissing(left)) - Number(isMissing(right));
    const sign = isDescending ? -1 : 1;
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    return sign * compare(String(left), String(right));
  });
}

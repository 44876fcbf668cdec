/**
 * Writes all results of a search, page after page, through one writer.
 * @module
 */
import { MAX_PAGE_RECORDS } from "../../data/format/limits.ts";
import type { Dataset, SearchResult, TableAnswer } from "../engine/index.ts";
import { ending, type Piece, type Records, type Writer } from "./frame.ts";
import { type RunOptions, runSearch } from "./run.ts";
import type { Search } from "./search.ts";

/** The page of the search, or all pages. */
type Extent = "page" | "all";

interface PagesOptions {
  readonly extent: Extent;
  /** Number of records per page when all pages are read. */
  readonly pageRecords?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A page of a search. */
export interface Page {
  /** Number of all matching records; with `extent` `page` only those on the page. */
  readonly total: number;
  readonly result: SearchResult;
}

/**
 * Yields the requested page, or with `extent` `all` all pages from the first on. Throws like `runSearch`, and `Error` when the
 * dataset changes between pages or records are missing.
 */
export async function* pagesOf(
  dataset: Dataset,
  search: Search,
  { extent, pageRecords = MAX_PAGE_RECORDS, signal }: PagesOptions,
): AsyncGenerator<Page> {
  const [first, limit] = extent === "page" ? [search.page, search.limit] : [0, pageRecords];
  let before: { readonly total: number; readonly release: string } | undefined;
  let records = 0;
  for (let page = first; ; page++) {
    const query = { ...search.query, offset: page * limit, limit };
    // all pages are of the release of the first one
    const release = before?.release ?? search.release;
    const result = await runSearch(dataset, { ...search, release, query }, { signal });
    const { total, length, report } = result;
    if (before && (before.total !== total || before.release !== report.release)) {
      throw new Error(`the dataset changed: ${total} records match, ${before.total} did before`);
    }
    before = { total, release: report.release };
    yield { total: extent === "page" ? length : total, result };
    records += length;
    if (extent === "page") return;
    if ((page + 1) * limit < total) continue;
    if (records !== total) throw new Error(`received ${records} records, expected ${total}`);
    return;
  }
}

/** Some records of a search. */
export interface SomeRecords {
  /** Number of all matching records. From a column table it is the greatest possible number. */
  readonly total: number;
  readonly result: Records;
}

/**
 * Returns all records of a search, some at a time, and ignores `page` and `limit`. They come from a column table in the order of
 * ids, if the dataset has one with all that the search needs. Otherwise they come page by page as from `pagesOf`.
 */
export async function allRecords(
  dataset: Dataset,
  search: Search,
  { signal }: RunOptions = {},
): Promise<AsyncIterable<SomeRecords>> {
  const { query, within, shown, release } = search;
  const { properties } = shown;
  const pages = () => pagesOf(dataset, search, { extent: "all", signal });
  if (properties === undefined || within !== undefined || query.nearest !== undefined) return pages();
  const table = await dataset.onRelease((pinned) => pinned.table({ ...query, properties }, { signal }), {
    release,
    signal,
  });
  return table ? recordsOf(table, signal) : pages();
}

async function* recordsOf(table: TableAnswer, signal: AbortSignal | undefined): AsyncGenerator<SomeRecords> {
  for await (const result of table.pages(signal)) yield { total: table.mostRows, result };
}

/** Yields the pieces of one body with the records of all pages. */
export async function* bodyOfPages(
  writer: Writer,
  pages: AsyncIterable<{ readonly result: Records }>,
): AsyncGenerator<Piece, void, undefined> {
  let isFirst = true;
  yield writer.open;
  for await (const { result } of pages) {
    for (const piece of writer.page(result)) {
      if (!isFirst) yield writer.separator;
      yield piece;
      isFirst = false;
    }
  }
  yield ending(writer);
}

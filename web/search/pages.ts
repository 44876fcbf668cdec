/**
 * Writes all results of a search, page after page, through one writer.
 * @module
 */
import { MAX_PAGE_RECORDS } from "../../data/format/limits.ts";
import type { Dataset, SearchResult } from "../engine/index.ts";
import { ending, type Piece, type Writer } from "./frame.ts";
import { runSearch } from "./run.ts";
import type { Search } from "./search.ts";

/** The page of the search, or all pages. */
type Extent = "page" | "all";

export interface PagesOptions {
  readonly extent: Extent;
  /** Records per page if all are read. */
  readonly pageRecords?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Page {
  readonly total: number;
  readonly result: SearchResult;
}

/**
 * Yields the pages in order. Throws when the dataset changes between two, or the number of records differs from the
 * total.
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

/** Yields the body of all pages. */
export async function* bodyOfPages(
  writer: Writer,
  pages: AsyncIterable<Pick<Page, "result">>,
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

/**
 * Index pages of the id run, read while the term's partition travels: a round trip less for rows that the term run leaves to it.
 * @module
 */
import { ALL_COUNTRIES, isPage } from "../../../data/format/manifest.ts";
import type { TermRun } from "./term-index.ts";

/** Of the spread that ids have by chance. */
const SPREADS = 3;

/** More pages than this are a guess that costs more than it spares. */
const MOST_PAGES = 2;

/** Light rows of a term in order of id, of which those from `offset` are wanted. */
export interface WantedRows {
  readonly offset: number;
  readonly limit: number;
  /** Rows of the term. */
  readonly total: number;
}

/**
 * Reads the pages that the wanted rows are likely to need: their ids lie anywhere among those of the country, so the share of the
 * term's rows before them is that of the country's. Never throws: who needs a page asks for it.
 */
export async function readIdPagesAhead(
  { session, collection, country }: TermRun,
  { offset, limit, total }: WantedRows,
): Promise<void> {
  const entry = session.manifest.collections[collection];
  const rows = entry?.countries[country] ?? 0;
  if (!entry || country === ALL_COUNTRIES || offset >= total) return;
  const rank = (position: number, spreads: number) => ((position + spreads * Math.sqrt(position)) / total) * rows;
  const [from, to] = [rank(offset, -SPREADS), rank(Math.min(offset + limit, total), SPREADS)];

  const pages = entry.runs.id.nodes.filter(isPage).filter(({ first, last }) => {
    return first !== undefined && last !== undefined && first[0] <= country && last[0] >= country;
  });
  const isWhole = ({ first, last }: (typeof pages)[number]) => first?.[0] === country && last?.[0] === country;
  const edges = pages.filter((page) => !isWhole(page));
  const ofWhole = pages.filter(isWhole).reduce((sum, page) => sum + page.rows, 0);
  // how many of a page that other countries share is not told
  const ofEdge = (rows - ofWhole) / Math.max(1, edges.length);
  let before = 0;
  const wanted = pages.filter((page) => {
    const start = before;
    before += isWhole(page) ? page.rows : ofEdge;
    return start <= to && before >= from;
  });
  if (wanted.length > MOST_PAGES) return;
  await session.readPages(wanted.map((node) => ({ collection, run: "id", node }))).catch(() => {});
}

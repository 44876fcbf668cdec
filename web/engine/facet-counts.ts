/**
 * How many rows of a query each value of a facet has: what a filter of that value alone finds among them.
 * @module
 */
import { compareIds } from "../../data/format/ids.ts";
import { FACET_COLUMNS, type Facet, facetValues, splitTerm, type TermColumns } from "../../data/format/terms.ts";
import type { JsonReader } from "./arrow/json-reader.ts";
import type { FacetCount, Query } from "./contract/query.ts";
import { scan } from "./order/scan.ts";
import { searchRows } from "./search.ts";
import type { RowRef, Rows } from "./store/rows.ts";
import type { Session } from "./store/session.ts";
import { inTurn } from "./tasks/in-turn.ts";
import { canAskTerms } from "./terms/conditions.ts";
import { placeOfFacet, type TermRun } from "./terms/term-index.ts";

/** Rows counted before the thread may be let go: some milliseconds. */
const ROWS_AT_A_TIME = 1000;

/** Most rows first, then by value. Those of a whole country without filters come from its posting lists, of which no row is read. */
export async function countFacet(session: Session, query: Query, facet: Facet): Promise<FacetCount[]> {
  const counts = (await countsOfLists(session, query, facet)) ?? (await countsOfRows(session, query, facet));
  return Array.from(counts, ([value, rows]) => ({ value, rows })).sort(
    (a, b) => b.rows - a.rows || compareIds(a.value, b.value),
  );
}

type Counts = Map<string, number>;

function add(counts: Counts, value: string, rows: number): void {
  counts.set(value, (counts.get(value) ?? 0) + rows);
}

async function countsOfLists(session: Session, query: Query, facet: Facet): Promise<Counts | undefined> {
  const { collections, circle, area, country, filters = {} } = query;
  const isFiltered = (filters.terms ?? []).length > 0 || filters.atLeast !== undefined || filters.bbox !== undefined;
  // names are stored cut
  if (circle || area || country === undefined || isFiltered || facet === "name") return undefined;
  const { manifest } = session;
  const here = collections.filter((collection) => manifest.collections[collection]?.countries[country] !== undefined);
  const canAsk = here.every((collection) => canAskTerms(manifest, collection, country, { terms: [[`${facet}:`]] }));
  if (!canAsk) return undefined;
  const counts: Counts = new Map();
  for (const own of await Promise.all(
    here.map((collection) => countsOfTerms({ session, collection, run: "term", country }, facet)),
  )) {
    for (const [value, rows] of own) add(counts, value, rows);
  }
  return counts;
}

async function countsOfTerms(run: TermRun, facet: Facet): Promise<Counts> {
  const { session, collection } = run;
  const { first, last, partitions } = await placeOfFacet(run, facet);
  const slices = await Promise.all(partitions.map((node) => session.readPostings({ collection, run: "term", node })));
  const counts: Counts = new Map();
  for (const postings of slices) {
    const { start, end } = postings.placesOf(first, last);
    for (let at = start; at < end; at++) {
      add(counts, splitTerm(postings.terms[at] ?? "").value, postings.counts[at] ?? 0);
    }
  }
  return counts;
}

async function countsOfRows(session: Session, query: Query, facet: Facet): Promise<Counts> {
  const everything = { ...query, filters: query.filters ?? {}, offset: 0, limit: Number.MAX_SAFE_INTEGER };
  const { rows } = await searchRows(session, everything, scan);
  const readers = new Map<Rows, readonly (readonly [string, JsonReader])[]>();
  const counts: Counts = new Map();
  const count = (refs: readonly RowRef[]): void => {
    for (const { rows: partition, row } of refs) {
      const columns = readers.get(partition) ?? readersOf(partition, facet);
      readers.set(partition, columns);
      const read = Object.fromEntries(columns.map(([name, column]) => [name, column(row)])) as TermColumns;
      for (const value of facetValues(facet, read)) add(counts, value, 1);
    }
  };
  for (let start = 0; start < rows.length; start += ROWS_AT_A_TIME) {
    await inTurn(() => count(rows.slice(start, start + ROWS_AT_A_TIME)));
  }
  return counts;
}

function readersOf(partition: Rows, facet: Facet): (readonly [string, JsonReader])[] {
  return FACET_COLUMNS[facet].flatMap((name) => {
    const column = partition.column(name);
    return column ? [[name, column.read] as const] : [];
  });
}

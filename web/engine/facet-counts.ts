/**
 * Counts the rows of a query per facet value: the number that a filter on that value alone finds.
 * @module
 */
import { compareIds } from "../../data/format/ids.ts";
import { type Facet, splitTerm, type TermColumns } from "../../data/format/terms.ts";
import { type FacetCount, isInCountries, type Query } from "./contract/query.ts";
import { everythingOf, searchRows } from "./search.ts";
import { facetReader } from "./store/row-terms.ts";
import { type Rows, readerOf } from "./store/rows.ts";
import type { Session } from "./store/session.ts";
import { eachInTurn } from "./tasks/in-turn.ts";
import { canAskTerms } from "./terms/conditions.ts";
import { facetRange, type TermRun } from "./terms/term-index.ts";

/**
 * Returns the counts, largest first, then by value. Counts of a whole country without filters come from posting
 * lists, without reading rows.
 */
export async function countFacet(session: Session, query: Query, facet: Facet): Promise<FacetCount[]> {
  const listed = await countsOfLists(session, query, facet);
  const { counts, above } = listed ? { counts: listed } : await countsOfRows(session, query, facet);
  const facets = Array.from(counts, ([value, rows]) => ({
    value,
    rows,
    ...(above && { parent: mostOf(above.get(value)) }),
  }));
  return facets.sort((a, b) => b.rows - a.rows || compareIds(a.value, b.value));
}

type Counts = Map<string, number>;

/** The most frequent parent, the first by value on a tie; undefined at the top, which is counted as an empty text. */
function mostOf(counts: Counts = new Map()): string | undefined {
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || compareIds(a, b));
  return first?.[0] || undefined;
}

function add(counts: Counts, value: string, rows: number): void {
  counts.set(value, (counts.get(value) ?? 0) + rows);
}

async function countsOfLists(session: Session, query: Query, facet: Facet): Promise<Counts | undefined> {
  const { collections, circle, area, country, filters = {} } = query;
  const { terms = [], ...tested } = filters;
  const isFiltered = terms.length > 0 || Object.values(tested).some((each) => each !== undefined);
  // names are stored cut
  if (circle || area || country === undefined || isFiltered || facet === "name") return undefined;
  const { manifest } = session;
  const here = collections.flatMap((collection) => {
    const codes = Object.keys(manifest.collections[collection]?.countries ?? {});
    return codes.filter((code) => isInCountries(code, country)).map((code) => ({ collection, country: code }));
  });
  const canAsk = here.every((run) => canAskTerms(manifest, run.collection, run.country, { terms: [[`${facet}:`]] }));
  if (!canAsk) return undefined;
  const counts: Counts = new Map();
  for (const own of await Promise.all(here.map((run) => countsOfTerms({ session, ...run, run: "term" }, facet)))) {
    for (const [value, rows] of own) add(counts, value, rows);
  }
  return counts;
}

async function countsOfTerms(run: TermRun, facet: Facet): Promise<Counts> {
  const { session, collection } = run;
  const { first, last, partitions } = await facetRange(run, facet);
  const slices = await Promise.all(partitions.map((node) => session.readPostings({ collection, run: "term", node })));
  const counts: Counts = new Map();
  for (const postings of slices) {
    const { start, end } = postings.rangeOf(first, last);
    for (let at = start; at < end; at++) {
      add(counts, splitTerm(postings.terms[at] ?? "").value, postings.counts[at] ?? 0);
    }
  }
  return counts;
}

/** `above` contains for each category of a taxonomy the number of rows per parent category. */
async function countsOfRows(session: Session, query: Query, facet: Facet) {
  const { rows } = await searchRows(session, everythingOf(query));
  const valuesOf = readerOf((partition) => facetReader(partition, facet));
  const hierarchyOf = readerOf((partition) => hierarchyReader(partition, facet));
  const counts: Counts = new Map();
  const above = facet === "taxonomy" ? new Map<string, Counts>() : undefined;
  await eachInTurn(rows, (ref) => {
    for (const value of valuesOf(ref) ?? []) add(counts, value, 1);
    let parent = "";
    for (const value of hierarchyOf(ref) ?? []) {
      const parents = above?.get(value) ?? new Map();
      above?.set(value, parents);
      add(parents, parent, 1);
      parent = value;
    }
  });
  return { counts, above };
}

/** The categories of a row, widest first, each once. */
function hierarchyReader(partition: Rows, facet: Facet): ((row: number) => Iterable<string>) | undefined {
  const column = facet === "taxonomy" ? partition.column("taxonomy") : undefined;
  if (!column) return undefined;
  return (row) => {
    const levels = (column.read(row) as TermColumns["taxonomy"])?.hierarchy ?? [];
    return new Set(levels.filter((level): level is string => level !== null && level !== ""));
  };
}

/**
 * Searches by terms without a circle: the term run. The rarest condition is read; the others are tested on its rows, or
 * by the ids of theirs where that takes fewer bytes.
 * @module
 */
import { COLLECTIONS, type CollectionName } from "../../../data/format/collections.ts";
import { cutTerm, FOLD_VERSION } from "../../../data/format/fold.ts";
import { ALL_COUNTRIES, type Manifest } from "../../../data/format/manifest.ts";
import { FACET_COLUMNS, STORED_FACETS, splitTerm } from "../../../data/format/terms.ts";
import type { Filters, Query } from "../contract/query.ts";
import type { RowRef } from "../order/executor.ts";
import type { Partition } from "../store/partition.ts";
import type { Session } from "../store/session.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { matchRows } from "./filter.ts";
import { readIdPagesAhead } from "./id-pages-ahead.ts";
import { narrowPostings } from "./narrow-postings.ts";
import { type Clause, orderConditions } from "./order-conditions.ts";
import { looksLight, rowsOf, type TermPlace, type TermRun } from "./term-index.ts";
import { readPostings, readPostingsOf, resolvePostings } from "./term-rows.ts";

/** Rows that match, of which those of the page are among them. */
export interface TermMatches {
  readonly rows: readonly RowRef[];
  /** Rows that match before the first of `rows`. */
  readonly before: number;
  readonly total: number;
}

/** Whether the term runs can answer the query. */
export function canSearchTerms(query: Query, manifest: Manifest): boolean {
  const { circle, area, filters, country } = query;
  if (circle || area || !filters?.terms || filters.bbox || manifest.fold_version !== FOLD_VERSION) return false;
  if (!filters.terms.some(isStored)) return false;
  return searchable(query).every((name) => {
    const collection = manifest.collections[name];
    if (!collection) return true;
    if (!collection.runs.term) return false;
    return country !== undefined || isWorldwide(name, filters.terms ?? []);
  });
}

/** Divisions have their names in one order over all countries. */
function isWorldwide(name: CollectionName, clauses: readonly Clause[]): boolean {
  const hasNames = clauses.some((clause) => clause.every((term) => splitTerm(term).facet === "name"));
  return hasNames && (name === "division" || name === "division_area");
}

/** The query's rows. `canSearchTerms` has said yes. */
export async function searchTerms(session: Session, query: Query): Promise<TermMatches> {
  const collections = searchable(query).filter((name) => session.manifest.collections[name]);
  const isAlone = collections.length === 1;
  const found = await Promise.all(
    collections.map((collection) => {
      const run = { session, collection, run: "term", country: query.country ?? ALL_COUNTRIES } as const;
      return searchRun(run, query, isAlone);
    }),
  );
  const [only] = found;
  if (only && isAlone) return only;
  return {
    rows: found.flatMap(({ rows }) => rows),
    before: 0,
    total: found.reduce((sum, { total }) => sum + total, 0),
  };
}

async function searchRun(
  run: TermRun,
  { filters = {}, offset, limit, country }: Query,
  isAlone: boolean,
): Promise<TermMatches> {
  const clauses = (filters.terms ?? []).filter(
    (clause) => isStored(clause) && (country !== undefined || clause.every((term) => splitTerm(term).facet === "name")),
  );
  const { rarest, isOnly, others } = await orderConditions(run, clauses);
  const isWhole = isAlone && isToldByTerms(filters) && clauses.length === filters.terms?.length;

  const [place] = rarest;
  if (isWhole && isOnly && place?.isCounted && rarest.length === 1) {
    const { page, before, total } = pageOf(place, offset, limit);
    if (looksLight(page)) void readIdPagesAhead(run, { offset, limit, total });
    const postings = await readPostings(run, page);
    const wanted = postings.slice(offset - before, offset - before + limit);
    return { rows: await resolvePostings(run, wanted), before: Math.min(offset, total), total };
  }

  const wantedRows = isWhole ? limit : Number.POSITIVE_INFINITY;
  const all = await readPostingsOf(run, rarest);
  const { postings, isByAll } = isOnly
    ? { postings: all, isByAll: true }
    : await narrowPostings(run, all, others, wantedRows);
  if (isWhole && isByAll) {
    const rows = await resolvePostings(run, postings.slice(offset, offset + limit));
    return { rows, before: Math.min(offset, postings.length), total: postings.length };
  }
  const rows = await matching(await resolvePostings(run, postings), filters);
  return { rows, before: 0, total: rows.length };
}

/** The partitions of a counted place that hold a page of it. */
function pageOf(place: TermPlace, offset: number, limit: number): { page: TermPlace; before: number; total: number } {
  const total = rowsOf([place]);
  const partitions = place.partitions.filter(({ start = 0, rows }) => start + rows > offset && start < offset + limit);
  return { page: { ...place, partitions }, before: partitions[0]?.start ?? total, total };
}

async function matching(rows: readonly RowRef[], filters: Filters): Promise<RowRef[]> {
  const flags = new Map<Partition, Uint8Array>();
  for (const { partition } of rows) {
    if (!flags.has(partition)) flags.set(partition, await inTurn(() => matchRows(partition, filters)));
  }
  return rows.filter(({ partition, row }) => flags.get(partition)?.[row] === 1);
}

/** Whether every row that is stored under a term of each condition matches. */
export function isToldByTerms({ terms = [], atLeast, bbox }: Filters): boolean {
  return terms.every(isToldByIndex) && atLeast === undefined && !bbox;
}

/** Whether the stored terms are as long as those asked for. */
function isToldByIndex(clause: Clause): boolean {
  return clause.every((term) => {
    const { facet, value } = splitTerm(term);
    return facet !== "name" || cutTerm(value) === value;
  });
}

/** Whether rows are stored under each term of the condition. */
export function isStored(clause: Clause): boolean {
  return clause.every((term) => STORED_FACETS.has(splitTerm(term).facet));
}

/** The collections that have the columns of every condition: rows of the others cannot match. */
export function searchable({ collections, filters }: Query): CollectionName[] {
  return collections.filter((name) => {
    const columns = new Set(COLLECTIONS[name].columns.map((column) => column.name));
    return (filters?.terms ?? []).every((clause) =>
      clause.some((term) => FACET_COLUMNS[splitTerm(term).facet].some((column) => columns.has(column))),
    );
  });
}

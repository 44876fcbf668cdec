/**
 * Searches without a region: by country, by terms, or by reading all rows that can match.
 * @module
 */

import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { EngineError, errorOfBoth, FetchError } from "../contract/errors.ts";
import { type Countries, type Filters, isInCountries, type Query } from "../contract/query.ts";
import { readNumbered } from "../store/numbered-rows.ts";
import type { Session } from "../store/session.ts";
import { type CandidateRows, canAskTerms, candidateRows, isKnownByTerms, searchable } from "../terms/conditions.ts";
import { boundTestedRows, isEmpty, testRows } from "../terms/filter.ts";
import { firstFrom, joined, numbersInRange, type RowNumbers } from "../terms/posting-lists.ts";
import { postingRangeOf, rowsOf } from "../terms/term-index.ts";
import { pageOfLists } from "./page-of-lists.ts";
import type { FoundPage, RowList } from "./row-list.ts";
import { bytesOfScan, scanRows } from "./scan-rows.ts";

/** Maximum bytes of the primary copy that a search reads as a fallback. If it needs more, the search fails. */
const MOST_SCAN_BYTES = 64 * 1024 * 1024;

/**
 * Returns the page of a query without a circle or an area, in the order of ids, and the number of all its rows. Throws
 * `EngineError` if the query has neither countries nor filters.
 */
export async function searchLists(session: Session, query: Query): Promise<FoundPage> {
  const { country, filters } = query;
  if (country === undefined && !filters) {
    throw new EngineError("query has no circle, area, country or filters, expected at least one");
  }
  const collections = searchable(session.manifest, query).filter((name) => session.manifest.collections[name]);
  const asked = { ...query, collections };
  try {
    return await byLists(session, asked);
  } catch (error) {
    const scanBytes = collections.reduce((sum, name) => sum + bytesOfScan(session, name, country), 0);
    if (!(error instanceof FetchError) || session.signal.aborted || scanBytes > MOST_SCAN_BYTES) throw error;
    // the primary copy has the same rows
    return scanRows(session, asked).catch((second: unknown) => {
      throw errorOfBoth(error, second);
    });
  }
}

async function byLists(session: Session, query: Query): Promise<FoundPage> {
  const { collections, offset, limit } = query;
  const [only] = collections;
  if (only && collections.length === 1) {
    const counted = await countedRangeOf(session, only, query);
    if (counted) return { total: counted.total, rows: await readNumbered(session, only, counted.numbers) };
  }
  const lists = await Promise.all(collections.map((collection) => listsOf(session, collection, query)));
  if (lists.some((list) => list === undefined)) return scanRows(session, query);
  const known = lists.flatMap((list) => list ?? []);
  return {
    total: known.reduce((sum, { total }) => sum + total, 0),
    rows: await pageOfLists(session, known, { offset, limit }),
  };
}

/** The matching rows of the collection, a list per country; undefined when rows must be read to find them. */
async function listsOf(session: Session, collection: CollectionName, query: Query): Promise<RowList[] | undefined> {
  const { country, filters } = query;
  const { countries = {} } = session.manifest.collections[collection] ?? {};
  const listed = Object.entries(countries).filter(([code]) => isInCountries(code, country));
  if (country !== undefined && listed.length === 0) return [];
  if (!filters || isEmpty(filters)) return listed.map(([code, total]) => ({ collection, country: code, total }));
  if (filters.bbox) return undefined;
  const candidates = await candidatesOf(session, collection, { country, filters });
  if (!candidates) return undefined;
  const { numbers, areExact } = candidates;
  if (areExact) return byCountry(session, collection, numbers);
  if (numbers.length * BLOCK_BYTES > bytesOfScan(session, collection, country)) return undefined;
  boundTestedRows(query, numbers.length);
  return byCountry(session, collection, await matching(session, collection, numbers, filters));
}

/** Rows that can match, from the posting lists of the countries; undefined when the lists cannot be asked. */
async function candidatesOf(
  session: Session,
  collection: CollectionName,
  { country, filters }: { readonly country: Countries | undefined; readonly filters: Filters },
): Promise<CandidateRows | undefined> {
  const { segments = {}, countries = {} } = session.manifest.collections[collection] ?? {};
  // Numbers ascend in the order of the segments.
  const codes =
    country === undefined
      ? [ALL_COUNTRIES]
      : Object.keys(segments).filter((code) => countries[code] !== undefined && isInCountries(code, country));
  if (!codes.every((code) => canAskTerms(session.manifest, collection, code, filters))) return undefined;
  const candidates = await Promise.all(
    codes.map((code) => candidateRows({ session, collection, run: "term", country: code }, filters)),
  );
  return {
    numbers: joined(candidates.map(({ numbers }) => numbers)),
    areExact: candidates.every(({ areExact }) => areExact),
  };
}

/** Returns the rows that meet the filters, tested by their columns. */
async function matching(
  session: Session,
  collection: CollectionName,
  numbers: RowNumbers,
  filters: Filters,
): Promise<RowNumbers> {
  const refs = await readNumbered(session, collection, numbers);
  const isMatch = await testRows(refs, filters);
  return numbers.filter((_, index) => {
    const ref = refs[index];
    return ref !== undefined && isMatch(ref);
  });
}

/** Splits the numbers, which ascend by country. */
function byCountry(session: Session, collection: CollectionName, numbers: RowNumbers): RowList[] {
  const segments = Object.entries(session.manifest.collections[collection]?.segments ?? {});
  const lists: RowList[] = [];
  let start = 0;
  for (const [index, [country]] of segments.entries()) {
    const next = segments[index + 1]?.[1];
    const end = next === undefined ? numbers.length : firstFrom(numbers, start, firstNumberOf(next));
    const own = numbers.subarray(start, end);
    if (own.length > 0) lists.push({ collection, country, numbers: own, total: own.length });
    start = end;
  }
  return lists;
}

/** The numbers of a page's rows, and the number of all rows with the term. */
interface CountedPage {
  readonly total: number;
  readonly numbers: RowNumbers;
}

/** Returns the page if a term is the only condition in a country and fills its own slices; otherwise undefined. */
async function countedRangeOf(
  session: Session,
  collection: CollectionName,
  { country, filters = {}, offset, limit }: Query,
): Promise<CountedPage | undefined> {
  const [clause, ...others] = filters.terms ?? [];
  const [term] = clause ?? [];
  if (typeof country !== "string" || term === undefined || clause?.length !== 1 || others.length > 0) return undefined;
  if (session.manifest.collections[collection]?.countries[country] === undefined) return undefined;
  if (!isKnownByTerms(filters) || !canAskTerms(session.manifest, collection, country, filters)) return undefined;
  const run = { session, collection, run: "term", country } as const;
  const range = await postingRangeOf(run, term);
  if (!range.isCounted) return undefined;
  const partitions = range.partitions.filter(({ start, rows }) => start + rows > offset && start < offset + limit);
  const before = partitions[0]?.start ?? offset;
  const numbers = await numbersInRange(run, { ...range, partitions });
  return { total: rowsOf([range]), numbers: numbers.subarray(offset - before, offset - before + limit) };
}

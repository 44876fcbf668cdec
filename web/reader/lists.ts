/** Rows of countries in the order of ids. @module */
import { compareIds } from "../../data/format/ids.ts";
import { CairnError } from "./error.ts";
import type { Collection } from "./index-tree.ts";
import { numbersOfRanks, readRecords, recordsOf } from "./records.ts";
import { numbersWith, type Terms } from "./terms.ts";
import type { Found, Row } from "./types.ts";

/** Rows that a search reads at most to merge countries. */
const MAX_MERGED_ROWS = 25_000;

/** Conditions without a circle: countries and terms. */
export interface Listed {
  /** Undefined for all countries of the collection. */
  readonly countries: readonly string[] | undefined;
  readonly terms: Terms;
}

interface List {
  readonly country: string;
  readonly total: number;
  /** Undefined for all rows of the country. */
  readonly numbers: readonly number[] | undefined;
}

/** Returns for each country the number of matching rows, and their row numbers if there are terms. */
async function listsOf({ about, ...rest }: Collection, { countries: wanted, terms }: Listed): Promise<readonly List[]> {
  const countries = Object.keys(about.countries).filter((code) => wanted?.includes(code) ?? true);
  return Promise.all(
    countries.map(async (code) => {
      if (terms.clauses.length === 0) return { country: code, total: about.countries[code] ?? 0, numbers: undefined };
      const numbers = await numbersWith({ about, ...rest }, code, terms);
      return { country: code, total: numbers.length, numbers };
    }),
  );
}

/** Returns how many rows of the countries match the terms. Throws `CairnError` if terms cannot be searched. */
export async function countLists(collection: Collection, asked: Listed): Promise<number> {
  return totalOf(await listsOf(collection, asked));
}

function totalOf(lists: readonly List[]): number {
  return lists.reduce((sum, { total }) => sum + total, 0);
}

/**
 * Returns how many rows of the countries match the terms, and at most `limit` of them after the first `offset`, in the order
 * of ids. Throws `CairnError` if the page needs more than 25,000 rows of several countries, or if terms cannot be searched.
 */
export async function searchLists(
  collection: Collection,
  asked: Listed,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Found> {
  const lists = (await listsOf(collection, asked)).filter(({ total }) => total > 0);
  const total = totalOf(lists);
  if (limit === 0 || offset >= total) return { total, rows: [] };
  const [only] = lists;
  if (only && lists.length === 1) return { total, rows: await rowsOf(collection, only, offset, offset + limit) };
  // the page has only rows that are among the first of their country
  const end = offset + limit;
  const read = lists.reduce((sum, list) => sum + Math.min(end, list.total), 0);
  if (read > MAX_MERGED_ROWS) {
    throw new CairnError(
      `${read} rows of ${lists.length} countries would be merged, at most ${MAX_MERGED_ROWS} may be: set a country, or lower offset and limit`,
    );
  }
  const rows = await Promise.all(lists.map((list) => rowsOf(collection, list, 0, end)));
  return {
    total,
    rows: rows
      .flat()
      .sort((a, b) => compareIds(a.id, b.id))
      .slice(offset, end),
  };
}

async function rowsOf(collection: Collection, list: List, start: number, end: number): Promise<Row[]> {
  const { country, numbers } = list;
  const own =
    numbers?.slice(start, end) ?? (await numbersOfRanks(collection, country, start, Math.min(end, list.total)));
  return readRecords(collection, await recordsOf(collection, country, own));
}

/** Neighbouring countries whose rows are built together, apart from all others. @module */
import { cutByHash } from "../packs/index.ts";

export type CountryRows = readonly [country: string, rows: number];

export interface CountryGroup {
  /** The first and the last country that may be in it. */
  readonly first: string;
  readonly last: string;
  readonly rows: number;
}

/** Groups of a collection, about; those of few rows have fewer, so that a task is worth its start. */
const GROUPS = 4;
const LEAST_ROWS = 256;
/** So that small countries of a large collection are built apart. */
const MOST_ROWS = 1_000_000;

/** A group that is lighter than this share of the most shares the tasks of the next one. */
const LIGHT_SHARE = 1 / 8;

const ALL: CountryGroup = { first: "AA", last: "ZZ", rows: 0 };

/**
 * Groups of countries, which are in order: a large one for itself, small ones together. Packs do not mix groups, so what
 * is made of one depends on no other's rows. Rows that come or go seldom move a country to another group.
 */
export function groupCountries(countries: readonly CountryRows[]): CountryGroup[] {
  const all = countries.reduce((sum, [, rows]) => sum + rows, 0);
  if (all === 0) return [ALL];
  const most = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, 2 ** Math.floor(Math.log2(all)) / GROUPS));
  const parts = cutByHash(
    countries.map(([key, rows]) => ({ key, weight: rows })),
    most,
  );
  const groups: CountryGroup[] = [];
  let waiting: CountryRows[] = [];
  for (const [index, { start, end }] of parts.entries()) {
    waiting.push(...countries.slice(start, end));
    const rows = waiting.reduce((sum, [, count]) => sum + count, 0);
    if (rows < most * LIGHT_SHARE && index < parts.length - 1) continue;
    const last = groups.at(-1);
    const [from, to] = [waiting[0]?.[0] ?? "", waiting.at(-1)?.[0] ?? ""];
    // the last has no next one
    if (last && rows < most * LIGHT_SHARE) groups[groups.length - 1] = { ...last, last: to, rows: last.rows + rows };
    else groups.push({ first: from, last: to, rows });
    waiting = [];
  }
  return groups;
}

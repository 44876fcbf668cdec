/** Groups consecutive countries whose rows are built together. @module */
import { cutByHash } from "../packs/index.ts";

export type CountryRows = readonly [country: string, rows: number];

export interface CountryGroup {
  /** The first and the last country of the group. */
  readonly first: string;
  readonly last: string;
  readonly rows: number;
}

/** Approximate number of groups. Small collections have fewer, because starting a task costs time. */
const GROUPS = 4;
const LEAST_ROWS = 256;
/** A small table has one group, so that slices of its countries share packs and are read by one range. */
export const LEAST_ROWS_OF_TABLES = 8192;
/** Limits the rows of a group, so that small countries of a large collection are not built together. */
const MOST_ROWS = 1_000_000;

/** A group below this share of the maximum shares the tasks of the next group. */
const LIGHT_SHARE = 1 / 8;

const ALL: CountryGroup = { first: "AA", last: "ZZ", rows: 0 };

/**
 * Groups countries, which are in the order of their codes: a large one alone, small ones together. Without rows,
 * returns one group for all countries. Packs do not mix groups, so the output of a group depends only on its rows. A
 * change of rows rarely moves a country to another group.
 */
export function groupCountries(countries: readonly CountryRows[], leastRows = LEAST_ROWS): CountryGroup[] {
  const all = countries.reduce((sum, [, rows]) => sum + rows, 0);
  if (all === 0) return [ALL];
  const most = Math.min(MOST_ROWS, Math.max(leastRows, 2 ** Math.floor(Math.log2(all)) / GROUPS));
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
    // The last group has no next one.
    if (last && rows < most * LIGHT_SHARE) groups[groups.length - 1] = { ...last, last: to, rows: last.rows + rows };
    else groups.push({ first: from, last: to, rows });
    waiting = [];
  }
  return groups;
}

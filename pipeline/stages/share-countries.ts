/** How terms, which are made country by country, are shared out to tasks; it does not change their packs. @module */
import { cutByHash } from "../packs/index.ts";

type CountryRows = readonly [country: string, rows: number];

/** Bytes of terms for each row, about. */
const TERM_BYTES = 13;

/** Neighbouring countries whose terms share packs. */
export function unitsOfCountries(countries: readonly CountryRows[], packBytes: number): string[][] {
  const weighed = countries.map(([key, rows]) => ({ key, weight: rows * TERM_BYTES }));
  return cutByHash(weighed, packBytes).map(({ start, end }) => countries.slice(start, end).map(([country]) => country));
}

/** Neighbouring units for each of `count` tasks, of about as many rows each. */
export function shareUnits(
  units: readonly (readonly string[])[],
  countries: readonly CountryRows[],
  count: number,
): (readonly string[])[][] {
  const rowsOf = new Map(countries);
  const all = countries.reduce((sum, [, rows]) => sum + rows, 0);
  const shares: (readonly string[])[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const unit of units) {
    shares[Math.floor((before * count) / all)]?.push(unit);
    for (const country of unit) before += rowsOf.get(country) ?? 0;
  }
  return shares;
}

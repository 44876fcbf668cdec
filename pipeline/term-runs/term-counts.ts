import type { Database } from "../database/index.ts";
import type { CountryTerms } from "./plan-terms.ts";

/** Counts from a query of `country term rows full`, sorted by country and term. */
export async function readTermCounts(database: Database, sql: string): Promise<CountryTerms[]> {
  const counted: { country: string; terms: string[]; rows: number[]; full: number[] }[] = [];
  await database.stream(sql, ([countries = [], terms = [], rows = [], full = []]) => {
    for (const [i, name] of countries.entries()) {
      let last = counted.at(-1);
      if (last?.country !== name) {
        last = { country: String(name), terms: [], rows: [], full: [] };
        counted.push(last);
      }
      last.terms.push(String(terms[i]));
      last.rows.push(Number(rows[i]));
      last.full.push(Number(full[i]));
    }
  });
  return counted;
}

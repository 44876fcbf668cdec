/**
 * Counts the rows of terms.
 * @module
 */
import type { Database } from "../database/database.ts";
import type { CountryTerms } from "./plan-terms.ts";

/**
 * Rows by country and term, both in order. `country` and `isFull` are SQL of the table's rows: which country one stands
 * under, and whether it has its columns.
 */
export async function countTerms(
  database: Database,
  { table, country, isFull }: { readonly table: string; readonly country: string; readonly isFull: string },
): Promise<CountryTerms[]> {
  const counted: { country: string; terms: string[]; rows: number[]; full: number[] }[] = [];
  const sql = `
    SELECT ${country} AS country, term, count(*)::INTEGER AS rows, (count(*) FILTER (${isFull}))::INTEGER AS "full"
    FROM ${table} GROUP BY ALL ORDER BY country, term`;
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

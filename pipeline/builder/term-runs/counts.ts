/**
 * Makes the runs `count_brand`, `count_category` and `count_country` of places. Tasks count the rows of their own
 * buckets; then the counts of all buckets are merged.
 * @module
 */
import { spellRank } from "../../../data/format/lookup.ts";
import { ALL_COUNTRIES, type CountRunName } from "../../../data/format/manifest.ts";
import { type TableValue, writeTable } from "../../../data/format/tables.ts";
import { type Database, quoteLiteral } from "../../base/database/index.ts";
import { deflate, type LooseSlice } from "../packs/index.ts";
import { parseRow } from "../records/index.ts";
import { type DerivedSlices, type LooseTermNode, WORLD } from "./term-run.ts";

/** A usual page, and a few more. */
const COUNT_ROWS = 1024;

/** Groups of a bucket with the same key are merged. */
const GROUPS: Readonly<Record<CountRunName, { readonly value: string; readonly key: string; readonly order: string }>> =
  {
    count_brand: { value: "arg_min(brand, id)", key: "brand_key", order: "_key.name, _key.wikidata NULLS FIRST" },
    count_category: { value: "category", key: "category", order: "_key" },
    count_country: { value: "country", key: "country", order: "_key" },
  };

export const COUNT_RUNS = Object.keys(GROUPS) as CountRunName[];

/**
 * Returns a query of the places of a table in groups by country, category and brand: the number of rows, and the brand
 * as the row with the lowest id writes it.
 */
export function bucketCountsSql(places: string): string {
  return `
    SELECT country, category, brand_key, count(*) AS "rows",
      arg_min(brand, id) FILTER (brand_key IS NOT NULL) AS brand, min(id) FILTER (brand_key IS NOT NULL) AS id
    FROM (
      SELECT id, _country AS country, categories."primary" AS category, brand,
        CASE WHEN brand.wikidata IS NOT NULL OR brand."names"."primary" IS NOT NULL
          THEN struct_pack(name := coalesce(brand."names"."primary", ''), wikidata := brand.wikidata) END AS brand_key
      FROM ${places}
    ) GROUP BY country, category, brand_key`;
}

interface CountedRows {
  readonly country: string;
  readonly rank: number;
  readonly values: TableValue[];
  readonly rows: number[];
  readonly brands: number[];
}

interface BucketCounts {
  /** A FROM clause of the groups of `bucketCountsSql` of all buckets. */
  readonly from: string;
  /** Rows of all buckets. */
  readonly rows: number;
}

/**
 * Yields the slices of a count run, most frequent values first. A slice has values of one country, or of all together.
 * Their ranks (0 for the most frequent) are the terms by which the index finds it. Throws if rows are missing.
 */
export async function* countSlices(database: Database, run: CountRunName, counts: BucketCounts): DerivedSlices {
  const table = await makeCounts(database, run, counts);
  const sql = `SELECT _country, to_json(struct_pack(value := "value"))::VARCHAR, "rows", brands FROM ${table} ORDER BY rowid`;
  let slice: CountedRows | undefined;
  for await (const [countries = [], values = [], rows = [], brands = []] of database.stream(sql)) {
    for (const [index, name] of countries.entries()) {
      const country = String(name);
      if (slice?.country !== country || slice.rows.length === COUNT_ROWS) {
        if (slice) yield countSlice(slice);
        const rank: number = slice?.country === country ? slice.rank + COUNT_ROWS : 0;
        slice = { country, rank, values: [], rows: [], brands: [] };
      }
      slice.values.push(parseRow(String(values[index])).value ?? null);
      slice.rows.push(Number(rows[index]));
      slice.brands.push(Number(brands[index]));
    }
  }
  if (slice) yield countSlice(slice);
  await database.run(`DROP TABLE ${table}`);
}

function countSlice({ country, rank, values, rows, brands }: CountedRows): LooseSlice<LooseTermNode> {
  const [first_term, last_term] = [spellRank(rank), spellRank(rank + rows.length - 1)];
  return {
    bytes: writeTable({ value: values, rows, brands }, deflate),
    key: `${country} ${first_term}`,
    node: { rows: rows.length, bbox: WORLD, country, first_term, last_term, start: 0 },
  };
}

/** Makes a table of a run's rows, in order, and returns its name. */
async function makeCounts(database: Database, run: CountRunName, { from, rows }: BucketCounts): Promise<string> {
  const [counted] = await database.rows<{ rows: number }>(`SELECT sum("rows")::BIGINT AS "rows" FROM ${from}`);
  if (counted?.rows !== rows) throw new Error(`place: ${counted?.rows} rows are counted, expected ${rows}`);
  const table = `run_${run}`;
  const { value, key, order } = GROUPS[run];
  const sets = run === "count_country" ? `((${key}))` : `((${key}), (country, ${key}))`;
  const country =
    run === "count_country" ? quoteLiteral(ALL_COUNTRIES) : `coalesce(country, ${quoteLiteral(ALL_COUNTRIES)})`;
  await database.run(`
    CREATE OR REPLACE TABLE ${table} AS
    WITH groups AS (
      SELECT ${country} AS _country, ${value} AS "value", ${key} AS _key, sum("rows") AS "rows",
        count(DISTINCT brand_key) AS brands
      FROM ${from} WHERE ${key} IS NOT NULL GROUP BY GROUPING SETS ${sets}
    )
    SELECT _country, "value", CAST("rows" AS INTEGER) AS "rows", CAST(brands AS INTEGER) AS brands
    FROM groups ORDER BY _country, "rows" DESC, ${order}`);
  return table;
}

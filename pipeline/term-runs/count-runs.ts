/** The count runs: places by brand, category and country, most first: the first page is one small slice. @module */
import { spellRank } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES, type CountRunName } from "../../data/format/manifest.ts";
import { type Table, type TableValue, writeTable } from "../../data/format/tables.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import { deflate, type LooseSlice } from "../packs/index.ts";
import { parseRow } from "../records/index.ts";
import { type RowsOf, WORLD } from "./rows-of.ts";
import type { LooseTermNode } from "./term-run.ts";

/** A page that people ask for, and a few more. */
const TARGET_ROWS = 1024;

const PLACES = "counted_places";

/** Rows with the same key are a group. */
const GROUPS: Readonly<Record<CountRunName, { readonly value: string; readonly key: string; readonly order: string }>> =
  {
    count_brand: { value: "arg_min(brand, id)", key: "brand_key", order: "_key.name, _key.wikidata NULLS FIRST" },
    count_category: { value: "category", key: "category", order: "_key" },
    count_country: { value: "country", key: "country", order: "_key" },
  };

export const COUNT_RUNS = Object.keys(GROUPS) as CountRunName[];

export interface CountRunOptions {
  readonly rowsOf: RowsOf;
  readonly run: CountRunName;
}

/** The slices of the run: each has rows of one country, and their ranks are terms. */
export async function* countSlices(
  database: Database,
  { rowsOf, run }: CountRunOptions,
): AsyncGenerator<LooseSlice<LooseTermNode>> {
  const table = `run_${run}`;
  await makeCounts(database, { rowsOf, run, table });
  const sql = `SELECT _country, to_json(struct_pack(value := "value"))::VARCHAR, "rows", brands FROM ${table} ORDER BY rowid`;
  let slice: { country: string; rank: number; values: TableValue[]; rows: number[]; brands: number[] } | undefined;
  for await (const [countries = [], values = [], rows = [], brands = []] of database.stream(sql)) {
    for (const [index, name] of countries.entries()) {
      const country = String(name);
      if (slice && (slice.country !== country || slice.rows.length === TARGET_ROWS)) yield sliceOf(slice);
      if (slice?.country !== country) slice = { country, rank: 0, values: [], rows: [], brands: [] };
      else if (slice.rows.length === TARGET_ROWS) {
        slice = { country, rank: slice.rank + TARGET_ROWS, values: [], rows: [], brands: [] };
      }
      slice.values.push(parseRow(String(values[index])).value ?? null);
      slice.rows.push(Number(rows[index]));
      slice.brands.push(Number(brands[index]));
    }
  }
  if (slice) yield sliceOf(slice);
  await database.run(`DROP TABLE ${table}`);
}

function sliceOf({
  country,
  rank,
  values,
  rows,
  brands,
}: {
  readonly country: string;
  readonly rank: number;
  readonly values: readonly TableValue[];
  readonly rows: readonly number[];
  readonly brands: readonly number[];
}): LooseSlice<LooseTermNode> {
  const table: Table = { value: values, rows, brands };
  const [first_term, last_term] = [spellRank(rank), spellRank(rank + rows.length - 1)];
  return {
    bytes: writeTable(table, deflate),
    key: `${country} ${first_term}`,
    node: { rows: rows.length, bbox: WORLD, country, first_term, last_term, start: 0 },
  };
}

/** Makes a table of a run's rows, in its order. */
async function makeCounts(
  database: Database,
  { rowsOf, run, table }: CountRunOptions & { readonly table: string },
): Promise<void> {
  const { value, key, order } = GROUPS[run];
  const sets = run === "count_country" ? `((${key}))` : `((${key}), (country, ${key}))`;
  const country =
    run === "count_country" ? quoteLiteral(ALL_COUNTRIES) : `coalesce(country, ${quoteLiteral(ALL_COUNTRIES)})`;
  await database.run(`
    CREATE OR REPLACE TABLE ${table} AS
    WITH ${PLACES} AS (
      SELECT id, country, categories."primary" AS category, brand,
        CASE WHEN brand.wikidata IS NOT NULL OR brand."names"."primary" IS NOT NULL
          THEN struct_pack(name := coalesce(brand."names"."primary", ''), wikidata := brand.wikidata) END AS brand_key
      FROM ${rowsOf("place")}
    ), groups AS (
      SELECT ${country} AS _country, ${value} AS "value", ${key} AS _key, count(*) AS "rows",
        count(DISTINCT brand_key) AS brands
      FROM ${PLACES} WHERE ${key} IS NOT NULL GROUP BY GROUPING SETS ${sets}
    )
    SELECT _country, "value", CAST("rows" AS INTEGER) AS "rows", CAST(brands AS INTEGER) AS brands
    FROM groups ORDER BY _country, "rows" DESC, ${order}`);
}

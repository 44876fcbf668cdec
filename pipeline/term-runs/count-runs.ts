/** The count runs: places by brand, category and country, most first: the first page is one small file. @module */
import { spellRank } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES, type CountRunName, type PartitionNode } from "../../data/format/manifest.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import { planEvenly } from "../partitions/index.ts";
import { type RowsOf, writeTermPartitions } from "./write-term-run.ts";

/** A page that people ask for, and a few more. */
const TARGET_ROWS = 1024;

const PLACES = "counted_places";

export const COUNT_COLUMNS = ["value", "rows", "brands"] as const;

/** Rows with the same key are a group. */
const GROUPS: Readonly<Record<CountRunName, { readonly value: string; readonly key: string; readonly order: string }>> =
  {
    count_brand: { value: "arg_min(brand, id)", key: "brand_key", order: "_key.name, _key.wikidata NULLS FIRST" },
    count_category: { value: "category", key: "category", order: "_key" },
    count_country: { value: "country", key: "country", order: "_key" },
  };

export const COUNT_RUNS = Object.keys(GROUPS) as CountRunName[];

export async function makeCountRun(
  database: Database,
  { rowsOf, folder, run }: { rowsOf: RowsOf; folder: string; run: CountRunName },
): Promise<PartitionNode[]> {
  const table = `run_${run}`;
  await makeCounts(database, { rowsOf, run, table });
  const countries = await database.rows<{ country: string; rows: number }>(
    `SELECT _country AS country, count(*) AS rows FROM ${table} GROUP BY 1 ORDER BY 1`,
  );
  const planned = planEvenly(
    countries.map(({ country, rows }) => [country, rows]),
    TARGET_ROWS,
  );
  let first = { country: "", start: 0 };
  const terms = planned.map((partition) => {
    if (partition.country !== first.country) first = partition;
    const rank = partition.start - first.start;
    const last = partition.end - first.start - 1;
    return { ...partition, firstTerm: spellRank(rank), lastTerm: spellRank(last), startInTerm: rank };
  });
  const into = { collection: "place", run, table, columns: COUNT_COLUMNS, folder } as const;
  const made = await writeTermPartitions(database, into, terms);
  await database.run(`DROP TABLE ${table}`);
  return made;
}

/** Makes a table of a run's rows, in its order. */
export async function makeCounts(
  database: Database,
  { rowsOf, run, table }: { rowsOf: RowsOf; run: CountRunName; table: string },
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
    SELECT _country, "value", CAST("rows" AS INTEGER) AS "rows", CAST(brands AS INTEGER) AS brands,
      struct_pack(xmin := -180, ymin := -90, xmax := 180, ymax := 90) AS bbox
    FROM groups ORDER BY _country, "rows" DESC, ${order}`);
}

/** The suggest run: names of divisions over all countries, and the most populous for short beginnings. @module */
import { DuckDBScalarFunction, VARCHAR } from "@duckdb/node-api";
import { MAX_TERM_CHARS } from "../../data/format/fold.ts";
import { ALL_COUNTRIES, type PartitionNode } from "../../data/format/manifest.ts";
import { MOST_POPULOUS, nameTerms, populousTerm, SHOWN_LANGUAGES } from "../../data/format/suggestions.ts";
import type { TermColumns } from "../../data/format/terms.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import { planTermRun } from "./plan-terms.ts";
import { readTermCounts } from "./term-counts.ts";
import { type RowsOf, writeTermPartitions } from "./write-term-run.ts";

/** A key stroke reads one partition: about 64 KiB. */
const TARGET_ROWS = 1024;

const ROWS = "suggest_rows";
const TERMS = "suggest_terms";
const RUN = "run_suggest";

export const SUGGEST_COLUMNS = [
  "term",
  "id",
  "row_country",
  "names",
  "detail",
  "subtype",
  "population",
  "found",
  "geometry",
  "bbox",
] as const;

export interface SuggestRunOptions {
  readonly rowsOf: RowsOf;
  readonly folder: string;
  readonly hasAreas: boolean;
}

export async function makeSuggestRun(
  database: Database,
  { rowsOf, folder, hasAreas }: SuggestRunOptions,
): Promise<PartitionNode[]> {
  await makeSuggestions(database, { rowsOf, hasAreas, table: RUN });
  const counts = await readTermCounts(
    database,
    `
    SELECT ${quoteLiteral(ALL_COUNTRIES)} AS country, term, count(*)::INTEGER AS rows, rows AS "full"
    FROM ${RUN} GROUP BY ALL ORDER BY term`,
  );
  const into = { collection: "division", run: "suggest", table: RUN, columns: SUGGEST_COLUMNS } as const;
  const partitions = await writeTermPartitions(database, { ...into, folder }, planTermRun(counts, TARGET_ROWS));
  await database.run(`DROP TABLE ${RUN}`);
  return partitions;
}

export async function makeSuggestions(
  database: Database,
  { rowsOf, hasAreas, table }: Omit<SuggestRunOptions, "folder"> & { readonly table: string },
): Promise<void> {
  database.register(suggestTerms());
  // of several areas the one on land: waters are wider than what people mean
  const areas = hasAreas
    ? `SELECT division_id AS id, arg_min(bbox, row(is_land IS DISTINCT FROM true, id)) AS area FROM ${rowsOf("division_area")} GROUP BY 1`
    : "SELECT NULL AS id, NULL AS area WHERE false";
  const languages = SHOWN_LANGUAGES.map(quoteLiteral).join(", ");
  await database.run(`
    CREATE OR REPLACE TABLE ${ROWS} AS
    SELECT id, country AS row_country, names AS all_names, subtype, geometry, coalesce(area, bbox) AS bbox,
      struct_pack("primary" := names."primary", common := map_from_entries(
        list_filter(map_entries(names.common), lambda entry: entry.key IN (${languages})))) AS names,
      coalesce(array_to_string(list_reverse(list_transform(
        list_filter(hierarchies[1], lambda step: step.division_id <> id AND step.subtype IN ('region', 'locality')),
        lambda step: step."name")), ', '), '') AS detail,
      -- a country that does not tell has the people of its towns
      CAST(coalesce(population, CASE WHEN subtype = 'country' THEN sum(population) FILTER (subtype = 'locality') OVER (PARTITION BY country) END, 0) AS BIGINT) AS population
    FROM ${rowsOf("division")} LEFT JOIN (${areas}) USING (id)
    WHERE names IS NOT NULL`);
  await database.run(`
    CREATE OR REPLACE TABLE ${TERMS} AS
    SELECT place, t.term, t.found, t.isShown AS is_shown
    FROM (
      SELECT rowid AS place, unnest(from_json(name_terms(to_json(all_names)::VARCHAR), '[{"term":"VARCHAR","found":["VARCHAR"],"isShown":"BOOLEAN"}]')) AS t
      FROM ${ROWS}
    )`);
  await database.run(`
    CREATE OR REPLACE TABLE ${table} AS
    WITH beginnings AS (
      SELECT left(term, size) AS beginning, place, bool_or(is_shown) AS is_shown
      FROM ${TERMS}, (SELECT unnest(generate_series(1, ${MAX_TERM_CHARS})) AS size)
      WHERE size <= length(term) GROUP BY 1, 2
    ), populous AS (
      SELECT ${quoteLiteral(populousTerm(""))} || beginning AS term, place, [] AS found
      FROM beginnings JOIN ${ROWS} r ON r.rowid = place
      QUALIFY count(*) OVER (PARTITION BY beginning) > ${MOST_POPULOUS}
        AND row_number() OVER (PARTITION BY beginning ORDER BY is_shown DESC, r.population DESC, r.id) <= ${MOST_POPULOUS}
    )
    SELECT term, id, row_country, names, detail, subtype, population, found, geometry, bbox
    FROM (SELECT 'name:' || term AS term, place, found FROM ${TERMS} UNION ALL SELECT term, place, found FROM populous) terms
    JOIN ${ROWS} r ON r.rowid = place
    ORDER BY term, id`);
  await database.run(`DROP TABLE ${ROWS}`);
  await database.run(`DROP TABLE ${TERMS}`);
}

/** `name_terms(json)`: the `NameTerm`s of a `names` column, both as JSON. */
function suggestTerms(): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: "name_terms",
    returnType: VARCHAR,
    parameterTypes: [VARCHAR],
    mainFunction: (_info, chunk, output) => {
      const rows = chunk.getColumnVector(0);
      for (let row = 0; row < chunk.rowCount; row++) {
        const names = JSON.parse(String(rows.getItem(row))) as NonNullable<TermColumns["names"]>;
        output.setItem(row, JSON.stringify(nameTerms(names)));
      }
      output.flush();
    },
  });
}

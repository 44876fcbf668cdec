/**
 * Postings: which rows have which terms.
 * @module
 */
import { DuckDBScalarFunction, VARCHAR } from "@duckdb/node-api";
import type { Collection } from "../../data/format/collections.ts";
import { MAX_TERM_CHARS } from "../../data/format/fold.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import {
  FACET_COLUMNS,
  MAX_FULL_TERMS,
  prefixTerm,
  STORED_FACETS,
  storedTerms,
  type TermColumns,
} from "../../data/format/terms.ts";
import type { Database } from "../database/database.ts";
import { quoteIdentifier, quoteLiteral } from "../database/sql.ts";

/** Terms hold letters and digits; this is neither. */
const SEPARATOR = "\u001f";

/** Collections that are searched by name over all countries at once. */
export const WORLDWIDE: ReadonlySet<string> = new Set(["division", "division_area"]);

/** Columns of the collection that terms are made from. */
export function termColumns({ columns }: Collection): string[] {
  const wanted = new Set<string>([...STORED_FACETS].flatMap((facet) => FACET_COLUMNS[facet]));
  return columns.map(({ name }) => name).filter((name) => wanted.has(name));
}

/** `row_terms(json)`: the terms of a row given as a JSON object of columns, with a separator between them. */
export function rowTerms(): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: "row_terms",
    returnType: VARCHAR,
    parameterTypes: [VARCHAR],
    mainFunction: (_info, chunk, output) => {
      const rows = chunk.getColumnVector(0);
      for (let row = 0; row < chunk.rowCount; row++) {
        const columns = JSON.parse(String(rows.getItem(row))) as TermColumns;
        output.setItem(row, storedTerms(columns).join(SEPARATOR));
      }
      output.flush();
    },
  });
}

/** SQL for the list of terms that a row of the collection is stored under. Needs `rowTerms` registered. */
export function termsSql(collection: Collection): string {
  const members = termColumns(collection).map((name) => `${quoteIdentifier(name)} := ${quoteIdentifier(name)}`);
  const text = `row_terms(to_json(struct_pack(${members.join(", ")}))::VARCHAR)`;
  return `list_filter(string_split(${text}, ${quoteLiteral(SEPARATOR)}), lambda term: term <> '')`;
}

/** Rows of a page that people look at. */
const PAGE_ROWS = 25;

/** Partitions of the id run that a page of a light term may take. */
const PAGE_PARTITIONS = 2;

/**
 * Makes a table of postings from staged rows: `_country`, `_term`, `_at` (the row's place in `staged`) and `_is_light`
 * (whether its columns are left to the id run: where a page of the term's rows stands close together there). Beginnings of names that more than `target` rows of a country have
 * are terms of their own. Needs `rowTerms` registered.
 */
export async function makePostings(
  database: Database,
  { collection, staged, table, target }: { collection: Collection; staged: string; table: string; target: number },
): Promise<void> {
  const raw = `${table}_raw`;
  const isWorldwide = WORLDWIDE.has(collection.name);
  await database.run(`
    CREATE OR REPLACE TABLE ${raw} AS
    SELECT _country, unnest(_terms) AS _term, _at, len(_terms) > ${MAX_FULL_TERMS} AS _is_light
    FROM (
      SELECT _country, rowid AS _at, ${termsSql(collection)} AS _terms FROM ${staged}
    )`);
  if (isWorldwide) {
    await database.run(
      `INSERT INTO ${raw} SELECT ${quoteLiteral(ALL_COUNTRIES)}, _term, _at, true FROM ${raw} WHERE starts_with(_term, 'name:')`,
    );
  }
  await database.run(`
    INSERT INTO ${raw}
    WITH beginnings AS (
      SELECT DISTINCT _country, left(substr(_term, 6), size) AS beginning, _at, _is_light
      FROM ${raw}, (SELECT unnest(generate_series(1, ${MAX_TERM_CHARS})) AS size)
      WHERE starts_with(_term, 'name:') AND size <= length(_term) - 5
    ), hot AS (SELECT _country, beginning FROM beginnings GROUP BY ALL HAVING count(*) > ${target})
    SELECT _country, ${quoteLiteral(prefixTerm(""))} || beginning, _at, _is_light FROM beginnings JOIN hot USING (_country, beginning)`);
  await database.run(`
    CREATE OR REPLACE TABLE ${table} AS
    WITH terms AS (SELECT _country, _term, count(*) AS _rows FROM ${raw} GROUP BY ALL),
      countries AS (SELECT _country, count(*) AS _country_rows FROM ${staged} GROUP BY ALL)
    SELECT _country, _term, _at,
      _is_light OR _country_rows <= ${PAGE_PARTITIONS * target} * greatest(1, _rows / ${PAGE_ROWS}) AS _is_light
    FROM ${raw} JOIN terms USING (_country, _term) LEFT JOIN countries USING (_country)`);
  await database.run(`DROP TABLE ${raw}`);
}

/**
 * Makes the run `suggest`: names of divisions in all countries, and for prefixes of many names the divisions with the
 * most inhabitants. One task makes it, because the number of divisions limits its size.
 * @module
 */
import { type DuckDBBlobValue, type DuckDBScalarFunction, VARCHAR } from "@duckdb/node-api";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { MAX_TERM_CHARS } from "../../../data/format/fold.ts";
import { readWkb } from "../../../data/format/geometry.ts";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { packSuggestions, SUGGEST_COLUMNS } from "../../../data/format/suggest-table.ts";
import { MOST_POPULOUS, nameTerms, populousTerm, SHOWN_LANGUAGES } from "../../../data/format/suggestions.ts";
import { type TableValue, writeTable } from "../../../data/format/tables.ts";
import type { TermColumns } from "../../../data/format/terms.ts";
import { type Database, quoteLiteral, sqlFunction } from "../../base/database/index.ts";
import { deflate, type LooseSlice } from "../packs/index.ts";
import { parseRow } from "../records/index.ts";
import { planTerms } from "./plan-terms.ts";
import type { DerivedSlices, LooseTermNode } from "./term-run.ts";

/** A key stroke reads one slice: about 10 KiB. */
const TARGET_ROWS = 256;

const ROWS = "suggest_rows";
const TERMS = "suggest_terms";
const RUN = "run_suggest";

/** Columns of a row in addition to its geometry. */
const READ = ["term", "id", "country", "names", "detail", "subtype", "population", "found"] as const;

interface SuggestRow {
  readonly columns: Readonly<Record<string, TableValue>>;
  readonly bbox: BBox;
}

interface SuggestRunOptions {
  /** A FROM clause of the rows of `division`, with the column `country`. */
  readonly divisions: string;
  /** A FROM clause of the rows of `division_area`; undefined without rows. */
  readonly areas?: string | undefined;
}

/** Yields the slices of the run `suggest`, in the order of terms. */
export async function* suggestSlices(database: Database, options: SuggestRunOptions): DerivedSlices {
  await makeSuggestions(database, { ...options, table: RUN });
  const planned = await planSlices(database);
  let rows: SuggestRow[] = [];
  let slice = planned.next();
  for await (const row of rowsOfRun(database)) {
    if (!slice.done && rows.length === slice.value.rows) {
      yield sliceOf(rows, slice.value.start);
      [rows, slice] = [[], planned.next()];
    }
    rows.push(row);
  }
  if (!slice.done && rows.length > 0) yield sliceOf(rows, slice.value.start);
  await database.run(`DROP TABLE ${RUN}`);
}

interface PlannedSlice {
  readonly rows: number;
  /** Rows of the first term in earlier slices. */
  readonly start: number;
}

async function planSlices(database: Database): Promise<Iterator<PlannedSlice>> {
  const [terms, counts]: [string[], number[]] = [[], []];
  for await (const [names = [], rows = []] of database.stream(
    `SELECT term, count(*)::INTEGER FROM ${RUN} GROUP BY term ORDER BY term`,
  )) {
    for (const [index, name] of names.entries()) {
      terms.push(String(name));
      counts.push(Number(rows[index]));
    }
  }
  return planTerms({ terms, weights: counts }, TARGET_ROWS)
    .flatMap(({ start, end }) => {
      const rows = counts.slice(start, end).reduce((sum, count) => sum + count, 0);
      // More rows than the target have one term.
      const parts = Math.max(1, Math.ceil(rows / TARGET_ROWS));
      return Array.from({ length: parts }, (_, part): PlannedSlice => {
        const [from, to] = [part, part + 1].map((edge) => Math.floor((edge * rows) / parts)) as [number, number];
        return { rows: to - from, start: from };
      });
    })
    .values();
}

async function* rowsOfRun(database: Database): AsyncGenerator<SuggestRow> {
  const members = READ.map((name) => `${name} := ${name === "country" ? "row_country" : name}`);
  const sql = `SELECT to_json(struct_pack(${members.join(", ")}))::VARCHAR, geometry, bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax FROM ${RUN} ORDER BY rowid`;
  for await (const [texts = [], geometries = [], ...edges] of database.stream(sql)) {
    for (const [index, text] of texts.entries()) {
      const row = parseRow(String(text));
      const point = representativePoint(readWkb((geometries[index] as DuckDBBlobValue).bytes));
      const [west = 0, south = 0, east = 0, north = 0] = edges.map((edge) => Number(edge[index]));
      const bbox: BBox = [west, south, east, north];
      const read = Object.fromEntries(READ.map((name) => [name, row[name] ?? null]));
      yield { columns: { ...read, point: point ?? null, bbox }, bbox };
    }
  }
}

function sliceOf(rows: readonly SuggestRow[], start: number): LooseSlice<LooseTermNode> {
  const [first_term, last_term] = [rows[0], rows.at(-1)].map((row) => String(row?.columns.term)) as [string, string];
  const columns = SUGGEST_COLUMNS.map((name) => [name, rows.map((row) => row.columns[name] ?? null)] as const);
  return {
    bytes: writeTable(packSuggestions(Object.fromEntries(columns)), deflate),
    key: `${first_term} ${start}`,
    node: {
      rows: rows.length,
      bbox: bboxUnion(rows.map((row) => row.bbox)),
      country: ALL_COUNTRIES,
      first_term,
      last_term,
      start,
    },
  };
}

async function makeSuggestions(
  database: Database,
  { divisions, areas, table }: SuggestRunOptions & { readonly table: string },
): Promise<void> {
  database.register(suggestTerms());
  // Of several areas the land area: maritime areas are wider than people expect.
  const boxes = areas
    ? `SELECT division_id AS id, arg_min(bbox, row(is_land IS DISTINCT FROM true, id)) AS area FROM ${areas} GROUP BY 1`
    : "SELECT NULL AS id, NULL AS area WHERE false";
  const languages = SHOWN_LANGUAGES.map(quoteLiteral).join(", ");
  await database.run(`
    CREATE OR REPLACE TABLE ${ROWS} AS
    SELECT id, country AS row_country, names AS all_names, subtype, geometry, coalesce(area, bbox) AS bbox,
      struct_pack("primary" := names."primary", common := map_from_entries(
        list_filter(map_entries(names.common), lambda entry: entry.key IN (${languages})))) AS names,
      coalesce(array_to_string(list_reverse(list_transform(
        list_filter(hierarchies[1], lambda step: step.division_id IS DISTINCT FROM id AND step.subtype IN ('region', 'locality')),
        lambda step: step."name")), ', '), '') AS detail,
      -- a country that does not tell has the people of its towns
      CAST(coalesce(population, CASE WHEN subtype = 'country' THEN sum(population) FILTER (subtype = 'locality') OVER (PARTITION BY country) END, 0) AS BIGINT) AS population
    FROM ${divisions} LEFT JOIN (${boxes}) USING (id)
    WHERE names IS NOT NULL`);
  await database.run(`
    CREATE OR REPLACE TABLE ${TERMS} AS
    SELECT ordinal, t.term, t.found, t.isShown AS is_shown
    FROM (
      SELECT rowid AS ordinal, unnest(from_json(name_terms(to_json(all_names)::VARCHAR), '[{"term":"VARCHAR","found":["VARCHAR"],"isShown":"BOOLEAN"}]')) AS t
      FROM ${ROWS}
    )`);
  await database.run(`
    CREATE OR REPLACE TABLE ${table} AS
    WITH prefixes AS (
      SELECT left(term, size) AS prefix, ordinal, bool_or(is_shown) AS is_shown
      FROM ${TERMS}, (SELECT unnest(generate_series(1, ${MAX_TERM_CHARS})) AS size)
      WHERE size <= length(term) GROUP BY 1, 2
    ), populous AS (
      SELECT ${quoteLiteral(populousTerm(""))} || prefix AS term, ordinal, [] AS found
      FROM prefixes JOIN ${ROWS} r ON r.rowid = ordinal
      QUALIFY count(*) OVER (PARTITION BY prefix) > ${MOST_POPULOUS}
        AND row_number() OVER (PARTITION BY prefix ORDER BY is_shown DESC, r.population DESC, r.id) <= ${MOST_POPULOUS}
    )
    SELECT term, id, row_country, names, detail, subtype, population, found, geometry, bbox
    FROM (SELECT 'name:' || term AS term, ordinal, found FROM ${TERMS} UNION ALL SELECT term, ordinal, found FROM populous) terms
    JOIN ${ROWS} r ON r.rowid = ordinal
    ORDER BY term, id`);
  await database.run(`DROP TABLE ${ROWS}`);
  await database.run(`DROP TABLE ${TERMS}`);
}

/** Returns the SQL function `name_terms(json)`: the `NameTerm`s of a `names` column, both as JSON. */
function suggestTerms(): DuckDBScalarFunction {
  return sqlFunction("name_terms", [VARCHAR], VARCHAR, (names) =>
    JSON.stringify(nameTerms(JSON.parse(names ?? "") as NonNullable<TermColumns["names"]>)),
  );
}

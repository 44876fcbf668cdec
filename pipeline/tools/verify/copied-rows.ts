/**
 * Keeps facts of rows until all countries are checked, for runs that are not by country.
 * @module
 */
import { type DuckDBScalarFunction, VARCHAR } from "@duckdb/node-api";
import type { CollectionName } from "../../../data/format/collections.ts";
import { nameTerms, SHOWN_LANGUAGES } from "../../../data/format/suggestions.ts";
import type { TermColumns } from "../../../data/format/terms.ts";
import { type Database, quoteLiteral, sqlFunction } from "../../base/database/index.ts";
import { NUMBERED_TABLE } from "./id-table.ts";
import { ROWS_TABLE } from "./row-table.ts";

/** Names of the tables of kept ids, places, divisions and division areas. */
export const IDS = "kept_ids";
export const PLACES = "kept_places";
export const DIVISIONS = "kept_divisions";
export const AREAS = "kept_areas";

/** Tables with the facts that the count runs and the suggest run need. */
const KEPT: Readonly<
  Record<CollectionName, { readonly table: string; readonly columns: string; readonly sql: string }>
> = {
  place: {
    table: PLACES,
    columns: "country VARCHAR, id VARCHAR, category VARCHAR, brand JSON, brand_name VARCHAR, brand_wikidata VARCHAR",
    sql: `SELECT country, id, json->>'$.categories.primary', json->'$.brand', json->>'$.brand.names.primary', json->>'$.brand.wikidata' FROM ${ROWS_TABLE}`,
  },
  division: {
    table: DIVISIONS,
    columns:
      "country VARCHAR, id VARCHAR, subtype VARCHAR, population BIGINT, facts JSON, point JSON, west DOUBLE, south DOUBLE, east DOUBLE, north DOUBLE",
    sql: `SELECT country, id, json->>'$.subtype', (json->>'$.population')::BIGINT, suggestion_of(json), middle_of(wkb), west, south, east, north FROM ${ROWS_TABLE}`,
  },
  division_area: {
    table: AREAS,
    columns: "division_id VARCHAR, id VARCHAR, is_land BOOLEAN, west DOUBLE, south DOUBLE, east DOUBLE, north DOUBLE",
    sql: `SELECT json->>'$.division_id', id, (json->>'$.is_land')::BOOLEAN, west, south, east, north FROM ${ROWS_TABLE}`,
  },
};

/** Returns true if facts of the collection's rows are kept. */
export function isKept(name: CollectionName): boolean {
  return KEPT[name] !== undefined;
}

/** Creates the empty tables of kept facts of all collections. */
export async function emptyKept(database: Database): Promise<void> {
  for (const { table, columns } of Object.values(KEPT))
    await database.run(`CREATE OR REPLACE TABLE ${table} (${columns})`);
}

/** Creates the empty table of ids. */
export async function emptyIds(database: Database): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE ${IDS} (country VARCHAR, id VARCHAR, address BIGINT)`);
}

/**
 * Adds the ids and record addresses of these countries to the table of ids, and facts of their rows to the collection's
 * table.
 */
export async function keepRows(
  database: Database,
  name: CollectionName,
  countries: ReadonlySet<string>,
): Promise<void> {
  if (countries.size === 0) return;
  const within = `country IN (${[...countries].map(quoteLiteral).join(", ")})`;
  await database.run(`INSERT INTO ${IDS} SELECT country, id, address FROM ${NUMBERED_TABLE} WHERE ${within}`);
  const kept = KEPT[name];
  if (kept) await database.run(`INSERT INTO ${kept.table} ${kept.sql} WHERE ${within}`);
}

interface DivisionColumns extends TermColumns {
  readonly id: string;
  readonly hierarchies?: readonly (readonly (Step | null)[] | null)[] | null;
}

interface Step {
  readonly division_id?: string | null;
  readonly subtype?: string | null;
  readonly name?: string | null;
}

/**
 * Returns the SQL function `suggestion_of(json)`: from a division's columns, its names, detail and terms in the suggest
 * run, as JSON.
 */
export function suggestionOf(): DuckDBScalarFunction {
  return sqlFunction("suggestion_of", [VARCHAR], VARCHAR, (json) =>
    JSON.stringify(tell(JSON.parse(json ?? "") as DivisionColumns)),
  );
}

function tell({ id, names, hierarchies }: DivisionColumns): unknown {
  if (!names) return { terms: [] };
  const shown = new Set<string>(SHOWN_LANGUAGES);
  const common = names.common && Object.fromEntries(Object.entries(names.common).filter(([key]) => shown.has(key)));
  const steps = (hierarchies?.[0] ?? []).filter(
    (step) => step?.division_id !== id && (step?.subtype === "region" || step?.subtype === "locality"),
  );
  const detail = steps.flatMap((step) => step?.name ?? []).reverse();
  return { names: { primary: names.primary, common }, detail: detail.join(", "), terms: nameTerms(names) };
}

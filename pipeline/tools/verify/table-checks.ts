/**
 * Checks that the find run, the count runs and the suggest run match the rows.
 * @module
 */
import { MAX_TERM_CHARS } from "../../../data/format/fold.ts";
import { ALL_COUNTRIES, type CountRunName, type TableRunName } from "../../../data/format/manifest.ts";
import { MOST_POPULOUS, populousTerm } from "../../../data/format/suggestions.ts";
import { type Database, quoteLiteral } from "../../base/database/index.ts";
import { AREAS, DIVISIONS, IDS, PLACES } from "./copied-rows.ts";
import type { Ledger } from "./ledger.ts";
import { foundTable } from "./table-slices.ts";
import { expectNone, type Verified } from "./verified.ts";

const EXPECTED = "expected_rows";
const ALL = quoteLiteral(ALL_COUNTRIES);

/**
 * Checks that the find run has exactly one row for each id: its key (start of the hash) and the address of its record.
 */
export async function checkFind(verified: Verified): Promise<void> {
  const keys = `(SELECT left(sha256(id), 8) AS term, address, id FROM ${IDS})`;
  const found = `(SELECT term, content::BIGINT AS address, slice, row FROM ${foundTable("find")})`;
  for (const [what, named, from] of [
    ["ids are not in it", "id", `${keys} keys ANTI JOIN ${found} found USING (term, address)`],
    [
      "rows are no id's",
      "term || ' with address ' || address",
      `${found} found ANTI JOIN ${keys} keys USING (term, address)`,
    ],
    [
      "rows occur twice",
      "term || ' with address ' || address",
      `(FROM ${found} QUALIFY row_number() OVER (PARTITION BY term, address) > 1)`,
    ],
  ] as const) {
    const sql = `SELECT count(*) AS rows, arg_min(${named}, term) AS first FROM ${from}`;
    await expectNone(verified, "tables", sql, (rows, first) => `find run: ${rows} ${what}, such as ${first}`);
  }
}

const GROUPS: Readonly<Record<CountRunName, { readonly value: string; readonly key: string; readonly order: string }>> =
  {
    count_brand: { value: "arg_min(brand, id)", key: "brand_key", order: "key.name, key.wikidata NULLS FIRST" },
    count_category: { value: "to_json(category)", key: "category", order: "key" },
    count_country: { value: "to_json(country)", key: "country", order: "key" },
  };

/** Checks that a count run has the counts of the kept facts of places, in order. */
export async function checkCounts(verified: Verified, run: CountRunName): Promise<void> {
  const { database } = verified;
  const { value, key, order } = GROUPS[run];
  const isOfAll = run === "count_country";
  await database.run(`
    CREATE OR REPLACE TABLE ${EXPECTED} AS
    WITH places AS (
      SELECT *, CASE WHEN brand_wikidata IS NOT NULL OR brand_name IS NOT NULL
        THEN {name: coalesce(brand_name, ''), wikidata: brand_wikidata} END AS brand_key
      FROM ${PLACES}
    ), groups AS (
      SELECT ${isOfAll ? ALL : `coalesce(country, ${ALL})`} AS _country, ${value} AS value, ${key} AS key, count(*) AS rows, count(DISTINCT brand_key) AS brands
      FROM places WHERE ${key} IS NOT NULL GROUP BY GROUPING SETS (${isOfAll ? `(${key})` : `(${key}), (country, ${key})`})
    )
    SELECT _country AS country, json_digest(to_json({value: value, rows: rows, brands: brands})::VARCHAR) AS content
    FROM groups ORDER BY _country, rows DESC, ${order}`);
  await compare(verified, run);
}

/** Checks the suggest run against the kept divisions and their areas. These must be complete for all countries. */
export async function checkSuggest(database: Database, ledger: Ledger): Promise<void> {
  // Of several areas the land area: maritime areas are wider than people expect.
  const areas = `(
    SELECT division_id AS id, arg_min({west: west, south: south, east: east, north: north}, row(is_land IS DISTINCT FROM true, id)) AS box
    FROM ${AREAS} GROUP BY 1)`;
  await database.run(`
    CREATE OR REPLACE TABLE suggested AS
    SELECT id, country, facts->'names' AS names, facts->'detail' AS detail, point, subtype,
      CASE WHEN box IS NULL THEN [west, south, east, north] ELSE [box.west, box.south, box.east, box.north] END AS bbox,
      coalesce(population, CASE WHEN subtype = 'country'
        THEN sum(population) FILTER (subtype = 'locality') OVER (PARTITION BY country) END, 0)::BIGINT AS population
    FROM ${DIVISIONS} LEFT JOIN ${areas} areas USING (id)`);
  // Separately, because a division may have thousands of terms, and a copy of the row for each would fill the memory.
  await database.run(`
    CREATE OR REPLACE TABLE suggested_terms AS
    SELECT id, term->>'term' AS term, term->'found' AS found, (term->>'isShown')::BOOLEAN AS is_shown
    FROM (SELECT id, unnest((facts->'terms')::JSON[]) AS term FROM ${DIVISIONS})`);
  await database.run(`
    CREATE OR REPLACE TABLE ${EXPECTED} AS
    WITH prefixes AS (
      SELECT left(term, size) AS prefix, id, bool_or(is_shown) AS is_shown
      FROM suggested_terms, (SELECT unnest(generate_series(1, ${MAX_TERM_CHARS})) AS size)
      WHERE size <= length(term) GROUP BY ALL
    ), populous AS (
      SELECT ${quoteLiteral(populousTerm(""))} || prefix AS term, id, '[]'::JSON AS found
      FROM prefixes JOIN suggested USING (id)
      QUALIFY count(*) OVER (PARTITION BY prefix) > ${MOST_POPULOUS}
        AND row_number() OVER (PARTITION BY prefix ORDER BY is_shown DESC, population DESC, id) <= ${MOST_POPULOUS}
    )
    SELECT ${ALL} AS country, json_digest(to_json({
      term: term, id: id, country: suggested.country, names: names, detail: detail, subtype: subtype,
      population: population, found: found, point: point, bbox: bbox})::VARCHAR) AS content
    FROM (SELECT 'name:' || term AS term, id, found FROM suggested_terms UNION ALL FROM populous) JOIN suggested USING (id)
    ORDER BY term, id`);
  for (const table of ["suggested", "suggested_terms"]) await database.run(`DROP TABLE ${table}`);
  await compare({ database, ledger, name: "division" }, "suggest");
}

/** Compares the expected rows with those of the run, in order. */
async function compare(verified: Pick<Verified, "database" | "ledger" | "name">, run: TableRunName): Promise<void> {
  const withPoint = (table: string, columns: string): string =>
    `(SELECT row_number() OVER (PARTITION BY country ORDER BY rowid) - 1 AS place, country, content${columns} FROM ${table})`;
  const sql = `
    SELECT count(*) AS rows, arg_min(country || ', row ' || place || coalesce(' (' || term || ')', ''), (country, place)) AS first
    FROM ${withPoint(EXPECTED, "")} expected FULL JOIN ${withPoint(foundTable(run), ", term")} found USING (country, place)
    WHERE expected.content IS DISTINCT FROM found.content`;
  const wrong = "rows are wrong, missing or too many";
  await expectNone(verified, "tables", sql, (rows, first) => `${run} run: ${rows} ${wrong}, the first of ${first}`);
  await verified.database.run(`DROP TABLE ${EXPECTED}`);
}

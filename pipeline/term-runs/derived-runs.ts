/** Runs of tables made from whole collections: names for a search box, where ids are, counts of places. @module */
import type { CollectionName } from "../../data/format/collections.ts";
import { spellKey, spellRank } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES, type CountRunName, type TableRunName } from "../../data/format/manifest.ts";
import { type TableValue, writeTable } from "../../data/format/tables.ts";
import { countRows, type Database, quoteLiteral } from "../database/index.ts";
import { deflate, type LooseSlice } from "../packs/index.ts";
import { parseRow } from "../records/index.ts";
import { suggestSlices } from "./suggest-run.ts";
import { type LooseTermNode, type RowsOf, WORLD } from "./term-run.ts";

/** What runs are made from. */
interface DerivedFrom {
  readonly rowsOf: RowsOf;
  /** SQL of the `id` and the `number` of each row of the run's collection, as what follows FROM. */
  readonly numbers: string;
}

interface DerivedRun {
  readonly collection: CollectionName;
  readonly run: TableRunName;
  readonly of: readonly CollectionName[];
  readonly slices: (database: Database, from: DerivedFrom) => AsyncIterable<LooseSlice<LooseTermNode>>;
}

export function derivedRuns(collections: readonly CollectionName[]): DerivedRun[] {
  const hasAreas = collections.includes("division_area");
  const suggest: DerivedRun = {
    collection: "division",
    run: "suggest",
    of: hasAreas ? ["division", "division_area"] : ["division"],
    slices: (database, { rowsOf }) => suggestSlices(database, { rowsOf, hasAreas }),
  };
  const lookups = collections.map(
    (collection): DerivedRun => ({
      collection,
      run: "find",
      of: [collection],
      slices: (database, { numbers }) => lookupSlices(database, numbers),
    }),
  );
  const counts = COUNT_RUNS.map(
    (run): DerivedRun => ({
      collection: "place",
      run,
      of: ["place"],
      slices: (database, { rowsOf }) => countSlices(database, rowsOf, run),
    }),
  );
  return [
    ...(collections.includes("division") ? [suggest] : []),
    ...lookups,
    ...(collections.includes("place") ? counts : []),
  ];
}

const LOOKUPS = "run_find";

/** About 100 KB: a look-up reads one slice. */
const LOOKUP_ROWS = 16 * 1024;

const KEY_BITS = 32;

/** The slices of the find run: the number of the row that has an id. `rows` is SQL of rows with their `id` and `number`, counted from 0, as what follows FROM. */
async function* lookupSlices(database: Database, rows: string): AsyncGenerator<LooseSlice<LooseTermNode>> {
  await database.run(`
    CREATE OR REPLACE TABLE ${LOOKUPS} AS
    SELECT CAST('0x' || left(sha256(id), 8) AS UINTEGER) AS key, number FROM ${rows} ORDER BY ALL`);
  // keys are hashes: in equal ranges a row more or less changes one slice, unless their number doubles
  const bits = Math.ceil(Math.log2(Math.max(1, (await countRows(database, LOOKUPS)) / LOOKUP_ROWS)));
  const rangeOf = (key: number): number => Math.floor(key / 2 ** (KEY_BITS - bits));
  let [keys, numbers]: [number[], number[]] = [[], []];
  for await (const [nextKeys = [], nextNumbers = []] of database.stream(
    `SELECT key, number::DOUBLE FROM ${LOOKUPS} ORDER BY rowid`,
  )) {
    for (const [index, value] of nextKeys.entries()) {
      const key = Number(value);
      if (keys.length > 0 && rangeOf(key) !== rangeOf(keys[0] ?? 0)) {
        yield lookupSlice(keys, numbers);
        [keys, numbers] = [[], []];
      }
      keys.push(key);
      numbers.push(Number(nextNumbers[index]));
    }
  }
  if (keys.length > 0) yield lookupSlice(keys, numbers);
  await database.run(`DROP TABLE ${LOOKUPS}`);
}

function lookupSlice(keys: readonly number[], numbers: readonly number[]): LooseSlice<LooseTermNode> {
  const gap = keys.map((key, row) => (row === 0 ? key : key - (keys[row - 1] ?? 0)));
  const [first_term, last_term] = [spellKey(keys[0] ?? 0), spellKey(keys.at(-1) ?? 0)];
  return {
    bytes: writeTable({ gap, number: numbers }, deflate),
    key: first_term,
    node: { rows: keys.length, bbox: WORLD, country: ALL_COUNTRIES, first_term, last_term, start: 0 },
  };
}

/** A page that people ask for, and a few more. */
const COUNT_ROWS = 1024;

const PLACES = "counted_places";

/** Rows with the same key are a group. */
const GROUPS: Readonly<Record<CountRunName, { readonly value: string; readonly key: string; readonly order: string }>> =
  {
    count_brand: { value: "arg_min(brand, id)", key: "brand_key", order: "_key.name, _key.wikidata NULLS FIRST" },
    count_category: { value: "category", key: "category", order: "_key" },
    count_country: { value: "country", key: "country", order: "_key" },
  };

const COUNT_RUNS = Object.keys(GROUPS) as CountRunName[];

interface CountedRows {
  readonly country: string;
  readonly rank: number;
  readonly values: TableValue[];
  readonly rows: number[];
  readonly brands: number[];
}

/** The slices of a count run: places by brand, category or country, most first. Each has rows of one country; their ranks are terms. */
async function* countSlices(
  database: Database,
  rowsOf: RowsOf,
  run: CountRunName,
): AsyncGenerator<LooseSlice<LooseTermNode>> {
  const table = await makeCounts(database, rowsOf, run);
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

/** Makes a table of a run's rows, in its order; returns its name. */
async function makeCounts(database: Database, rowsOf: RowsOf, run: CountRunName): Promise<string> {
  const table = `run_${run}`;
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
  return table;
}

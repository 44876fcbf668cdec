import { tableToIPC } from "apache-arrow";
import { beforeAll, expect, test } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import { knownCollection } from "../../../data/format/collections.ts";
import { EVERY_ROW, type Feature } from "../../engine/index.ts";
import { createWasmConsole } from "../../engine/testing/databases.ts";
import { buildSample } from "../../engine/testing/sample.ts";
import type { Console } from "../../hosts/browser/duckdb/console-database.ts";
import { openNodeDataset } from "../../hosts/node/open.ts";
import { parseSearch, pathNamed, runSearch, SEARCH_PATHS } from "../../search/index.ts";
import { parsePageState, type Search, searchArgument } from "../address/search.ts";
import { overTables } from "../console/over-tables.ts";
import { foundSql, rowsSql } from "./console-sql.ts";
import { recordSql, searchSql } from "./sql.ts";

let collections: ReadonlySet<CollectionName>;
let console: Console;
let answer: (search: Search) => Promise<readonly Feature[]>;
/** Ids that the statement returns in the console, and the partitions it read of the total. */
let consoleIds: (sql: string) => Promise<{ readonly ids: string[]; readonly read: number; readonly all: number }>;

beforeAll(async () => {
  const dataset = openNodeDataset(await buildSample());
  collections = new Set(Object.keys((await dataset.manifest()).collections) as CollectionName[]);
  console = await createWasmConsole();
  console.open([...collections].map(knownCollection));
  answer = async (search) => {
    const { path, parameters, area } = searchArgument(search);
    const result = await runSearch(dataset, parseSearch(pathNamed(SEARCH_PATHS, path), parameters, area));
    return [...result.features()];
  };
  consoleIds = async (sql) => {
    let [read, all] = [0, 0];
    for (const statement of console.statements(sql)) {
      const wanted = console.needs(statement);
      const list = await dataset.partitions(wanted);
      const whole = wanted.map(({ collection }) => ({ collection, condition: EVERY_ROW }));
      all = (await dataset.partitions(whole)).partitions.length;
      read = list.partitions.length;
      for (const partition of console.missing(list, 1e9)) {
        console.fill(partition, tableToIPC(await dataset.partitionTable(partition), "stream"));
      }
      console.run(statement);
    }
    const [header = "", ...rows] = new TextDecoder().decode(console.csv()).trimEnd().split(/\r\n/);
    expect(header.split(",")[0]).toBe("id");
    return { ids: rows.map((row) => row.slice(0, row.indexOf(","))), read, all };
  };
}, 300_000);

function searchAt(hash: string): Search {
  const { search } = parsePageState(hash);
  if (!search) throw new Error(`${hash} asks for nothing`);
  return search;
}

const idsOf = (records: readonly Feature[]): string[] => records.map(({ id }) => id);

test.each([
  ["points in a circle", "#/places?lat=40.0165&lng=-105.271&radius=1000&limit=100"],
  ["a circle and a country", "#/addresses?lat=43.7347&lng=7.4206&radius=800&country=MC"],
  ["a country", "#/divisions?country=JP&page=2"],
  ["a country, several collections", "#/base?country=MC&limit=100"],
  ["categories", "#/places?country=US&categories=cafe,coffee_shop"],
  ["contacts and a source", "#/places?country=US&has_contact=email,phone&source=meta"],
  ["a name, by the ids of the page", "#/places?country=US&name=boulder"],
])("the copied statement runs unchanged in the console: %s", async (_, hash) => {
  const search = searchAt(hash);
  const records = await answer(search);
  expect(records.length).toBeGreaterThan(0);
  const copied = overTables(searchSql({ search, collections, ids: idsOf(records) }));
  expect((await consoleIds(copied ?? "")).ids).toEqual(idsOf(records));
});

test.each([
  ["polygons", "#/buildings?lat=43.7347&lng=7.4206&radius=100&limit=25"],
  ["lines", "#/transportation?lat=40.0165&lng=-105.271&radius=100&limit=25"],
  ["points", "#/places?lat=40.0165&lng=-105.271&radius=300&limit=25"],
])("the page's records opened in the console are the same, from few partitions: %s", async (_, hash) => {
  const records = await answer(searchAt(hash));
  const { ids, read, all } = await consoleIds(rowsSql(records));
  expect(ids).toEqual(idsOf(records));
  expect(read).toBeLessThan(all / 2);
});

test("a copied statement that reads shapes as text is recognized", async () => {
  const search = searchAt("#/buildings?lat=43.7347&lng=7.4206&radius=300");
  expect(overTables(searchSql({ search, collections, ids: [] }))).toBeUndefined();
});

test("one record, from the partitions that its bbox meets", async () => {
  const [record] = await answer(searchAt("#/places?country=MC"));
  if (record?.geometry.type !== "Point") throw new Error("a place is a point");
  const [lon = 0, lat = 0] = record.geometry.coordinates;
  const sql = overTables(recordSql({ type: "place", id: record.id }, [lon, lat, lon, lat])) ?? "";
  const { ids, read, all } = await consoleIds(sql);
  expect(ids).toEqual([record.id]);
  expect(read).toBeLessThan(all / 2);
});

const TRIANGLE = "7.4125,43.7285,7.4305,43.7345,7.4155,43.7425";

test.each([
  ["points in a circle", "#/places?lat=40.0165&lng=-105.271&radius=1000"],
  ["categories in a country", "#/places?country=US&categories=cafe,coffee_shop"],
  ["a country, several collections", "#/base?country=MC"],
  ["polygons in a circle", "#/buildings?lat=43.7347&lng=7.4206&radius=300"],
  ["lines in a circle", "#/transportation?lat=43.7347&lng=7.4206&radius=300"],
  ["points in a drawn box", "#/places?area=7.41,43.72,7.42,43.74"],
  ["points in a drawn polygon", `#/places?area=${TRIANGLE}`],
  ["polygons in a drawn polygon", `#/buildings?area=${TRIANGLE}`],
  ["several collections in a drawn polygon", `#/base?area=${TRIANGLE}`],
])("found has exactly the rows of the search: %s", async (_, hash) => {
  const records = await answer({ ...searchAt(hash), limit: 25_000 });
  expect(records.length).toBeGreaterThan(0);
  console.nameFound(foundSql(searchAt(hash), collections));
  const { ids, read, all } = await consoleIds("SELECT id, country FROM found");
  expect(ids.toSorted()).toEqual(idsOf(records).toSorted());
  expect(read).toBeLessThan(all);
});

test("shape functions treat null as no match, and report an invalid area", () => {
  const [row] = console.run("SELECT within_area(NULL, '{}') AS a, within_metres(''::BLOB, 1, NULL, 2) AS b").rows;
  expect(row).toEqual(["false", "false"]);
  expect(() => console.run("SELECT within_area('\\x00'::BLOB, '{}')")).toThrow(/type must be Polygon/);
});

test("tables are quoted, because their names may be words of SQL", () => {
  const geometry = { type: "Point", coordinates: [7, 43] } as const;
  const sql = rowsSql([{ id: "1", geometry, properties: { type: "order" } }]);
  expect(sql).toContain(`SELECT * FROM "order" WHERE list_contains(['1'], id)`);
  expect(foundSql(searchAt("#/order?country=MC"), new Set(["order"]))).toBe(
    `SELECT * FROM "order" WHERE country = 'MC'`,
  );
});

test("a dataset without the collection has no found rows", () => {
  expect(foundSql(searchAt("#/places?country=MC"), new Set(["building"]))).toBeUndefined();
});

import { tableToIPC } from "apache-arrow";
import { beforeAll, expect, test } from "vitest";
import { COLLECTIONS } from "../../../../data/format/collections.ts";
import { EVERY_ROW, openDataset } from "../../../engine/index.ts";
import { createWasmConsole } from "../../../engine/testing/databases.ts";
import { type MadeUpRow, makeDataset } from "../../../engine/testing/made-up-dataset.ts";
import { memorySource } from "../../../engine/testing/sources.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { MOST_SHOWN_ROWS } from "../protocol/console-calls.ts";
import type { Console } from "./console-database.ts";

const rows: readonly MadeUpRow[] = Array.from({ length: 40 }, (_, i) => ({
  id: `row${String(i).padStart(2, "0")}`,
  country: i < 20 ? "AA" : "BB",
  geometry: { type: "Point", coordinates: [i / 100, 1] },
}));
const source = memorySource(await makeDataset({ place: rows }, { rowsPerPartition: 10 }));
const dataset = openDataset({ source, decode: decodeParquet });
const circle = { lon: 0.2, lat: 1, radiusMeters: 100_000 };
const everything = { collections: ["place"], circle, offset: 0, limit: 100 } as const;
const found = async () => [...(await dataset.search(everything)).features()].map(({ id }) => id);
const whole = await dataset.partitions([{ collection: "place", condition: EVERY_ROW }]);
const MOST_BYTES = 1e9;

let console: Console;
beforeAll(async () => {
  console = await createWasmConsole();
  console.open([COLLECTIONS.place]);
  await fill();
});

async function fill(list = whole, mostBytes = MOST_BYTES): Promise<number> {
  const missing = console.missing(list, mostBytes);
  for (const partition of missing) {
    console.fill(partition, tableToIPC(await dataset.partitionTable(partition), "stream"));
  }
  return missing.length;
}

const count = () => Number(console.run("SELECT count(*) FROM place").rows[0]?.[0]);

test("a collection is a table with its columns and the country", () => {
  const [table] = console.tables();
  expect(table?.name).toBe("place");
  expect(table?.rows).toBeUndefined();
  expect(table?.columns).toContainEqual({ name: "geometry", type: "BLOB" });
  expect(table?.columns.at(-1)).toEqual({ name: "country", type: "VARCHAR" });
  const sql = "SELECT country, count(*) AS n, min(id) AS first FROM place GROUP BY ALL ORDER BY ALL";
  expect(console.run(sql).rows).toEqual([
    ["AA", "20", "row00"],
    ["BB", "20", "row20"],
  ]);
});

test("loaded partitions are not missing and are loaded once", async () => {
  expect(await fill()).toBe(0);
  expect(count()).toBe(40);
});

test("out of memory on a small device is an error in the words of DuckDB, and the next statement runs", async () => {
  const small = await createWasmConsole(16);
  expect(() => small.run("CREATE TABLE long AS SELECT i, hash(i)::VARCHAR AS t FROM range(1_000_000) AS r(i)")).toThrow(
    /Out of Memory Error/,
  );
  expect(small.run("SELECT 6 * 7 AS n").rows).toEqual([["42"]]);
});

test("a full memory drops the rows that are not needed, another release drops all", async () => {
  const [first, second, ...others] = whole.partitions;
  if (!first || !second) throw new Error("too few partitions");
  expect(await fill({ ...whole, partitions: [first, second] }, 1)).toBe(0);
  expect(count()).toBe(40);
  console.run("CREATE OR REPLACE TABLE mine AS SELECT * FROM place");
  expect(console.missing({ partitions: [first], stamps: { place: "of another release" } }, MOST_BYTES)).toEqual([
    first,
  ]);
  expect(count()).toBe(0);
  expect(await fill({ partitions: [first, second], stamps: { place: "of another release" } })).toBe(2);
  expect(await fill({ partitions: others, stamps: { place: "of another release" } }, first.node.bytes)).toBe(2);
  expect(count()).toBe(20);
  expect(console.run("SELECT count(*) FROM mine").rows).toEqual([["40"]]);
  console.run("DROP TABLE mine");
  expect(await fill()).toBe(4);
});

test("rows removed by a rolled back transaction are missing again", async () => {
  console.run("BEGIN");
  const [first] = whole.partitions;
  if (!first) throw new Error("no partition");
  console.missing({ partitions: [], stamps: { place: "of another release" } }, MOST_BYTES);
  expect(await fill({ partitions: [first], stamps: { place: "of another release" } })).toBe(1);
  expect(count()).toBe(10);
  console.run("ROLLBACK");
  expect(await fill({ ...whole, stamps: { place: "of another release" } })).toBe(0);
  expect(count()).toBe(40);
  console.run(`DELETE FROM partitions."rows of place" WHERE id = 'row03'`);
  expect(await fill({ ...whole, stamps: { place: "of another release" } })).toBe(1);
  expect(count()).toBe(40);
  expect(await fill()).toBe(4);
});

test("statements are split at the tokens that DuckDB sees", () => {
  const sql = `-- a; comment\nSELECT ';é' AS "a;b" /* ; */;; CREATE MACRO f(x) AS $$;$$ || x ; SELECT 2 -- end;\n`;
  expect(console.statements(sql)).toEqual([
    `SELECT ';é' AS "a;b" /* ; */`,
    "CREATE MACRO f(x) AS $$;$$ || x",
    "SELECT 2 -- end;",
  ]);
  expect(console.statements(" ; -- nothing")).toEqual([]);
  expect(() => console.needs("SELECT 'open")).toThrow(/^Parser Error: unterminated quoted string/);
});

test.each([
  ["SELECT 1", []],
  ["BEGIN", []],
  ["ROLLBACK", []],
  ["PRAGMA table_info('place')", []],
  ["CREATE VIEW v AS SELECT * FROM place", []],
  ["SELECT * FROM place WHERE country = 'AA' AND false", []],
  ["EXPLAIN ANALYZE SELECT * FROM place WHERE country = 'AA'", ["AA"]],
  ["SET VARIABLE n = (SELECT count(*) FROM place WHERE country = 'AA')", ["AA"]],
  ["FROM place SELECT id WHERE country = 'AA' UNION ALL SELECT id FROM place WHERE country = 'BB'", ["AA", "BB"]],
])("%s needs rows of %j", (sql, countries) => {
  const needs = console.needs(sql);
  expect(needs.map(({ condition }) => condition.kind === "country" && condition.value)).toEqual(countries);
  expect(console.tables().map(({ name }) => name)).toEqual(["place"]);
});

test("a circle over points measures the same as a search", async () => {
  for (const radiusMeters of [500, 5000, 11_119, 22_238.99]) {
    const near = await dataset.search({ ...everything, circle: { ...circle, radiusMeters } });
    const { rows: ids } = console.run(`SELECT id FROM place WHERE within_circle(bbox, 0.2, 1, ${radiusMeters})`);
    expect(ids.flat().sort()).toEqual([...near.features()].map(({ id }) => id).sort());
  }
});

test("the current search has a view, unless the user has a table of that name", () => {
  console.nameFound("SELECT * FROM place WHERE country = 'AA'");
  expect(console.run("SELECT count(*) FROM found").rows).toEqual([["20"]]);
  expect(console.needs("FROM found")).toHaveLength(1);
  console.nameFound(undefined);
  expect(() => console.run("FROM found")).toThrow(/^Catalog Error/);
  console.run("CREATE TABLE found AS SELECT 7 AS mine");
  console.nameFound("SELECT * FROM place");
  expect(console.run("FROM found").rows).toEqual([["7"]]);
  console.run("DROP TABLE found");
});

test("the rows of a result are complete CSV", () => {
  console.run(
    `SELECT 1 AS "a,b", NULL AS n, 'x"y' AS t, repeat('z', 400) AS long UNION ALL SELECT 2, NULL, 'é', '' ORDER BY 1`,
  );
  expect(new TextDecoder().decode(console.csv())).toBe(`"a,b",n,t,long\r\n1,,"x""y",${"z".repeat(400)}\r\n2,,é,\r\n`);
});

test.each([
  ["ATTACH 'https://example.org/a.db'", "Permission Error"],
  ["SELECT * FROM read_csv('https://example.org/a.csv')", "Permission Error"],
  ["SELECT * FROM read_text('/etc/passwd')", "Permission Error"],
  ["SELECT * FROM 'https://example.org/a.parquet'", "Catalog Error"],
  ["SELECT * FROM read_parquet('https://example.org/a.parquet')", "Catalog Error"],
  ["SELECT * FROM glob('*')", "Permission Error"],
  ["LOAD spatial", "Permission Error"],
  ["LOAD 'https://example.org/a.wasm'", "Permission Error"],
  ["COPY place TO 'a.csv'", "Permission Error"],
  ["COPY place TO 'https://example.org/a.csv'", "Permission Error"],
  ["EXPORT DATABASE 'a'", "Permission Error"],
  ["SET enable_external_access = true", "Invalid Input Error"],
  ["SET lock_configuration = false", "Invalid Input Error"],
  ["RESET enable_external_access", "Invalid Input Error"],
])("%s ends in the error of DuckDB", (sql, kind) => {
  expect(() => console.run(sql)).toThrow(new RegExp(`^${kind}: `));
});

test("an error has the words of DuckDB", () => {
  expect(() => console.run("SELECT nope FROM place")).toThrow(
    /^Binder Error: Referenced column "nope" not found in FROM clause!\n[\s\S]*LINE 1: SELECT nope FROM place/,
  );
  expect(() => console.needs("SELECT nope FROM place")).toThrow(/LINE 1: SELECT nope FROM place\n {15}\^$/);
  for (const ask of [console.run, console.needs]) {
    expect(() => ask("SELEC 1")).toThrow(/^Parser Error: syntax error at or near "SELEC"\n\nLINE 1: SELEC 1\n {8}\^$/);
  }
  expect(console.run("SELECT 1").rows).toEqual([["1"]]);
});

test("no statement in the console changes the results of searches", async () => {
  const before = await found();
  for (const sql of ["DELETE FROM place", "INSERT INTO place SELECT * FROM place", "UPDATE place SET version = 2"]) {
    expect(() => console.run(sql)).toThrow(/^(Binder|Catalog) Error: /);
  }
  console.run("BEGIN");
  console.run("DROP VIEW place");
  console.run("CREATE VIEW place AS SELECT 1 AS id");
  expect(await found()).toEqual(before);
  console.run("ROLLBACK");
  expect(count()).toBe(40);
});

test("a long result is shown in part and counted completely", () => {
  const { rows: shown, totalRows, hasMore } = console.run("SELECT range FROM range(123456)");
  expect([shown.length, totalRows, hasMore]).toEqual([MOST_SHOWN_ROWS, 123_456, false]);
  expect(shown.at(-1)).toEqual([String(MOST_SHOWN_ROWS - 1)]);
  expect(console.run("SELECT 1 FROM range(1000000000000)")).toMatchObject({ hasMore: true });
  expect(console.run("SELECT 2").rows).toEqual([["2"]]);
});

test.each([
  ["SELECT geometry FROM place ORDER BY id LIMIT 2", "geometry"],
  [`SELECT '{"type":"Point","coordinates":[' || bbox.xmin || ',1]}' AS shape FROM place ORDER BY id LIMIT 2`, "shape"],
  ["SELECT bbox.xmin AS lng, bbox.ymin AS lat FROM place ORDER BY id LIMIT 2", "lng, lat"],
])("%s can be drawn", (sql, drawnColumn) => {
  const body = [0, 0.01].map((lon) => ({ type: "Point", coordinates: [lon, 1] }));
  expect(console.run(sql)).toMatchObject({ drawnColumn, body });
});

test("values that are no geometry or not on the globe are not drawn", () => {
  expect(console.run("SELECT 'abc'::BLOB AS geometry, 200 AS lng, 0 AS lat").drawnColumn).toBeUndefined();
  expect(console.run("SELECT * FROM (VALUES (1, NULL), (2, 3)) AS t(lng, lat)").body).toHaveLength(1);
});

test("values of all types are shown as text", () => {
  const values = [
    ["-1.05::DECIMAL(10, 2)", "-1.05"],
    ["12345678901234567890123::HUGEINT", "12345678901234567890123"],
    ["9007199254740993", "9007199254740993"],
    ["DATE '2020-01-02'", "2020-01-02"],
    ["TIMESTAMP '2020-01-02 03:04:05.678'", "2020-01-02 03:04:05.678"],
    ["TIME '01:02:03.5'", "01:02:03.5"],
    ["INTERVAL 3 DAY", "3 days"],
    ["{'a': 1, 'b': ['x', NULL]}", '{"a":1,"b":["x",null]}'],
    ["MAP {'k': 1.5::DOUBLE}", '{"k":1.5}'],
    ["'\\x01\\x02'::BLOB", "\\x0102"],
    ["'NaN'::DOUBLE", "NaN"],
    ["true", "true"],
    ["NULL", null],
  ] as const;
  const { rows: texts } = console.run(`SELECT ${values.map(([sql]) => sql).join(", ")}`);
  expect(texts).toEqual([values.map(([, text]) => text)]);
});

test("a value that cannot be shown is an error, not a gap", () => {
  expect(() => console.run("SELECT 'b'::ENUM('a', 'b') AS letter")).toThrow(/letter is an ENUM.*::VARCHAR/);
});

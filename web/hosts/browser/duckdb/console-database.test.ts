import { beforeAll, expect, test } from "vitest";
import { openDataset } from "../../../engine/index.ts";
import { createWasmConsole, createWasmDatabase } from "../../../engine/testing/databases.ts";
import { type MadeUpRow, makeDataset } from "../../../engine/testing/made-up-dataset.ts";
import { memorySource } from "../../../engine/testing/sources.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { MOST_SHOWN_ROWS } from "../protocol/console-calls.ts";
import type { Console } from "./console-database.ts";
import { loadedCollections, loadedTable } from "./loaded-rows.ts";

const rows: readonly MadeUpRow[] = Array.from({ length: 40 }, (_, i) => ({
  id: `row${String(i).padStart(2, "0")}`,
  country: "AA",
  geometry: { type: "Point", coordinates: [i / 100, 1] },
}));
const source = memorySource(await makeDataset({ place: rows }, { rowsPerPartition: 10 }));
const dataset = openDataset({ source, decode: decodeParquet, executor: "sql", database: createWasmDatabase });
const everything = { collections: ["place"], country: "AA", offset: 0, limit: 100 } as const;
const circle = { lon: 0.2, lat: 1, radiusMeters: 100_000 };
const found = async () => [...(await dataset.search({ ...everything, circle })).features()].map(({ id }) => id);

let console: Console;
beforeAll(async () => {
  await found();
  // the same rows once more, in the order of their ids
  await dataset.search(everything);
  console = await createWasmConsole();
  console.fill("place", new Uint8Array(loadedTable(dataset.loaded(), "place")));
});

test("what searches have read is a table, each row once", () => {
  expect(loadedCollections(dataset.loaded()).map(({ collection }) => collection)).toEqual(["place"]);
  const [table] = console.tables();
  expect(table).toMatchObject({ name: "place", rows: rows.length });
  expect(table?.columns).toContainEqual({ name: "geometry", type: "BLOB" });
  expect(console.run("SELECT count(*) AS n, min(id) AS first FROM place").rows).toEqual([["40", "row00"]]);
});

test.each([
  ["ATTACH 'https://example.org/a.db'", "Permission Error"],
  ["SELECT * FROM read_csv('https://example.org/a.csv')", "Permission Error"],
  ["SELECT * FROM read_text('/etc/passwd')", "Permission Error"],
  ["SELECT * FROM 'https://example.org/a.parquet'", "Catalog Error"],
  ["SELECT * FROM read_parquet('https://example.org/a.parquet')", "Catalog Error"],
  ["SELECT * FROM glob('*')", "Permission Error"],
  ["INSTALL spatial; LOAD spatial", "Permission Error"],
  ["LOAD 'https://example.org/a.wasm'", "Permission Error"],
  ["COPY place TO 'a.csv'", "Permission Error"],
  ["COPY place TO 'https://example.org/a.csv'", "Permission Error"],
  ["EXPORT DATABASE 'a'", "Permission Error"],
  ["SET enable_external_access = true", "Invalid Input Error"],
  ["SET lock_configuration = false", "Invalid Input Error"],
  ["RESET enable_external_access", "Invalid Input Error"],
])("%s ends in DuckDB's error", (sql, kind) => {
  expect(() => console.run(sql)).toThrow(new RegExp(`^${kind}: `));
});

test("an error is given in DuckDB's own words", () => {
  expect(() => console.run("SELECT nope FROM place")).toThrow(
    /^Binder Error: Referenced column "nope" not found in FROM clause!\n[\s\S]*LINE 1: SELECT nope FROM place/,
  );
  expect(console.run("SELECT 1").rows).toEqual([["1"]]);
});

test("whatever is done to the console's tables, searches find the same, and a new filling brings the rows back", async () => {
  const before = await found();
  console.run("DELETE FROM place");
  expect(console.run("SELECT * FROM place").totalRows).toBe(0);
  console.run("DROP TABLE place; CREATE VIEW place AS SELECT 1 AS id; BEGIN");
  expect(await found()).toEqual(before);
  console.run("ROLLBACK");
  console.fill("place", new Uint8Array(loadedTable(dataset.loaded(), "place")));
  expect(console.tables()).toMatchObject([{ name: "place", rows: 40 }]);
});

test("a long result is shown in part and counted whole", () => {
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

test("what is no geometry, or not on the globe, is not drawn", () => {
  expect(console.run("SELECT 'abc'::BLOB AS geometry, 200 AS lng, 0 AS lat").drawnColumn).toBeUndefined();
  expect(console.run("SELECT * FROM (VALUES (1, NULL), (2, 3)) AS t(lng, lat)").body).toHaveLength(1);
});

test("values of all types are told as text", () => {
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

test("a value that cannot be told is refused rather than left out", () => {
  expect(() => console.run("SELECT 'b'::ENUM('a', 'b') AS letter")).toThrow(/letter is an ENUM.*::VARCHAR/);
});

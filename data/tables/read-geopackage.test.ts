import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import initSqlJs from "sql.js/dist/sql-wasm-inline.js";
import { describe, expect, test } from "vitest";
import { readTable } from "./index.ts";

const FORMATS = fileURLToPath(new URL("testing/formats/", import.meta.url));

/** The shops of GDAL's file, after some SQL. */
async function edited(...statements: readonly string[]): Promise<Uint8Array> {
  const { Database } = await initSqlJs();
  const database = new Database(await readFile(`${FORMATS}shops.gpkg`));
  for (const sql of statements) database.run(sql);
  const bytes = database.export();
  database.close();
  return bytes;
}

const read = async (...statements: readonly string[]) => readTable("shops.gpkg", await edited(...statements));

test("the first layer with rows is read, and the notes name the others", async () => {
  expect((await read()).notes).toEqual(["only the layer shops is read, not other"]);
  const table = await read("DELETE FROM shops");
  expect([table.rows.length, table.columns.map(({ name }) => name)]).toEqual([1, ["fid", "n"]]);
});

test("booleans, large integers, bytes and empty geometries keep their meaning", async () => {
  const { columns, rows, rejects } = await read(
    "ALTER TABLE shops ADD COLUMN is_open BOOLEAN",
    "ALTER TABLE shops ADD COLUMN big INTEGER",
    "ALTER TABLE shops ADD COLUMN bytes BLOB",
    "UPDATE shops SET is_open = fid = 1, big = 9007199254740993 + fid, bytes = x'00ff'",
    // GP, version 0, flags: little-endian, empty
    "UPDATE shops SET geom = x'47500011e6100000' || x'' WHERE fid = 3",
  );
  expect(columns.slice(-3)).toEqual([
    { name: "is_open", type: "boolean" },
    { name: "big", type: "text" },
    { name: "bytes", type: "text" },
  ]);
  expect(rows.map(({ values }) => values.slice(-3))).toEqual([
    [true, "9007199254740994", "\\x00ff"],
    [false, "9007199254740995", "\\x00ff"],
  ]);
  expect(rejects.map(({ line }) => line)).toEqual([3]);
});

test("generated columns have their own values", async () => {
  const table = await read(
    "ALTER TABLE shops ADD COLUMN twice INTEGER GENERATED ALWAYS AS (seats * 2) VIRTUAL",
    "ALTER TABLE shops ADD COLUMN label TEXT",
    "UPDATE shops SET label = 'l' || fid",
  );
  const names = table.columns.map(({ name }) => name);
  expect(names.slice(-2)).toEqual(["twice", "label"]);
  expect(table.rows.map(({ values }) => values.slice(-2))).toEqual([
    [24, "l1"],
    [14, "l2"],
    [null, "l3"],
  ]);
});

test("a view is not read, and the notes name it", async () => {
  const { notes } = await read(
    "CREATE VIEW near AS SELECT * FROM shops",
    "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('near', 'features')",
  );
  expect(notes).toContain("views are not read: near");
});

test("a table of attributes has columns of coordinates", async () => {
  const { rows, geometryFrom } = await read(
    "DELETE FROM shops",
    "DELETE FROM other",
    "CREATE TABLE plain (name TEXT, lat REAL, lng REAL)",
    "INSERT INTO plain VALUES ('a', 43.7, 7.4)",
    "INSERT INTO gpkg_contents (table_name, data_type) VALUES ('plain', 'attributes')",
  );
  expect([rows[0]?.geometry, geometryFrom]).toEqual([{ type: "Point", coordinates: [7.4, 43.7] }, ["lat", "lng"]]);
});

describe("what cannot be read is refused", () => {
  test("another database, a view that never ends, and damaged bytes", async () => {
    const { Database } = await initSqlJs();
    const other = new Database();
    other.run("CREATE TABLE a (b)");
    await expect(readTable("a.db", other.export())).rejects.toThrow(/the SQLite database is no GeoPackage: export/);
    const endless = [
      "DROP TABLE shops",
      "DROP TABLE other",
      "CREATE VIEW shops AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) AS fid FROM n",
    ];
    await expect(read(...endless)).rejects.toThrow(
      /the GeoPackage has only views, which are not read: save shops as a layer/,
    );
    const bytes = await edited();
    bytes.fill(255, 100, 4096);
    await expect(readTable("a.gpkg", bytes)).rejects.toThrow(/^the GeoPackage is damaged: /);
    await expect(readTable("a.gpkg", await edited(), { maxRows: 2 })).rejects.toThrow(/has 3 rows, more than 2/);
  });
});

import { beforeEach, expect, test } from "vitest";
import { COLLECTIONS } from "../../../../data/format/collections.ts";
import { createWasmConsole } from "../../../engine/testing/databases.ts";
import { tableName, tableStream } from "../own-files/file-table.ts";
import type { FileRow } from "../own-files/read-file.ts";
import type { Console } from "./console-database.ts";

const rows: readonly FileRow[] = [
  {
    geometry: { type: "Point", coordinates: [7.42, 43.73] },
    properties: {
      Name: "Port",
      name: "small",
      postcode: "01234",
      height: "12.5",
      open: true,
      tags: { a: [1] },
      geometry: "x",
    },
  },
  {
    geometry: {
      type: "LineString",
      coordinates: [
        [8, 44],
        [9, 45],
      ],
    },
    properties: { Name: "Way", height: 3 },
  },
];
const table = { name: "my_ports", id: "1" };

let console: Console;
beforeEach(async () => {
  console = await createWasmConsole();
});
const select = (sql: string) => console.run(sql).rows;

test("the rows of a file are a table, each column with the type of all its values", () => {
  expect(console.missingFiles([table])).toEqual([table]);
  console.fillFile(table, new Uint8Array(tableStream(rows)));
  const [own] = console.tables();
  expect(own?.rows).toBe(2);
  expect(own?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "Name VARCHAR",
    "name_2 VARCHAR",
    "postcode VARCHAR",
    "height DOUBLE",
    "open BOOLEAN",
    "tags VARCHAR",
    "geometry_2 VARCHAR",
    "geometry BLOB",
    "bbox STRUCT(xmin DOUBLE, xmax DOUBLE, ymin DOUBLE, ymax DOUBLE)",
  ]);
  expect(
    select("SELECT Name, height, postcode, tags, bbox.xmax FROM my_ports WHERE height > 2 ORDER BY height"),
  ).toEqual([
    ["Way", "3", null, null, "9"],
    ["Port", "12.5", "01234", '{"a":[1]}', "7.42"],
  ]);
  console.open([COLLECTIONS.place]);
  expect(select("SELECT Name FROM my_ports WHERE within_circle(bbox, 7.4, 43.7, 5000)")).toEqual([["Port"]]);
  expect(console.run("SELECT * FROM my_ports").body).toHaveLength(2);
});

test("a table is sent once, removed with its file, and sent again after a drop or for another file of that name", () => {
  const stream = () => new Uint8Array(tableStream(rows));
  console.fillFile(table, stream());
  expect(console.missingFiles([table])).toEqual([]);
  const other = { ...table, id: "2" };
  expect(console.missingFiles([other])).toEqual([other]);
  expect(console.tables()).toEqual([]);
  console.fillFile(other, stream());
  console.run("DROP TABLE my_ports");
  expect(console.missingFiles([other])).toEqual([other]);
  console.fillFile(other, stream());
  console.missingFiles([]);
  expect(console.tables()).toEqual([]);
});

test("a table made by the user is not touched", () => {
  console.run("CREATE TABLE my_ports AS SELECT 1 AS own");
  expect(console.missingFiles([table])).toEqual([]);
  expect(console.missingFiles([])).toEqual([]);
  expect(select("SELECT * FROM my_ports")).toEqual([["1"]]);
});

test("table names need no quotes and are unique per file", () => {
  expect(tableName("Fountains (2024).csv", new Set())).toBe("my_fountains_2024");
  expect(tableName("fountains.csv", new Set(["my_fountains", "my_fountains_2"]))).toBe("my_fountains_3");
  expect(tableName("東京.geojson", new Set())).toBe("my_file");
});

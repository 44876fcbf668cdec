import { expect, test } from "vitest";
import { COLLECTIONS } from "../../../data/format/collections.ts";
import { openDatabase } from "../../base/database/database.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { parseRow, rowJsonSql } from "./record-json.ts";

const newFolder = temporaryFolders();

test("a row's columns are JSON as JavaScript writes it, for all numbers", async () => {
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  const values: Readonly<Record<string, string>> = {
    id: "'a'",
    version: "3",
    sources: `[{'dataset': 'NaN "-Infinity" \\', 'confidence': 'nan'::DOUBLE, 'between': ['inf'::DOUBLE, 0.5, '-inf'::DOUBLE]}]`,
    height: "-0.0::DOUBLE",
    min_height: "1e21::DOUBLE",
    roof_height: "5.0::DOUBLE",
    names: `{'primary': NULL, 'common': MAP {'__proto__': 'x', 'en': 'y', 'de': NULL}, 'rules': NULL}`,
  };
  const columns = COLLECTIONS.building.columns.map(({ name }) => `${values[name] ?? "NULL"} AS "${name}"`);
  const [row] = await database.rows<{ json: string }>(
    `SELECT ${rowJsonSql(COLLECTIONS.building)} AS json FROM (SELECT ${columns.join(", ")})`,
  );
  database.close();
  expect(JSON.stringify(parseRow(row?.json ?? ""))).toBe(
    '{"id":"a","version":3,"sources":[{"dataset":"NaN \\"-Infinity\\" \\\\","confidence":null,"between":[null,0.5,null]}],' +
      '"names":{"common":{"__proto__":"x","en":"y"}},"height":0,"min_height":1e+21,"roof_height":5}',
  );
});

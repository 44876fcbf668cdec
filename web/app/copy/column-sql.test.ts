import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { ownFilters } from "../../../data/format/own-filters.ts";
import type { OwnColumn } from "../../../data/format/own-schema.ts";
import { columnCondition } from "./column-sql.ts";

const COLUMNS: readonly OwnColumn[] = [
  { name: "Kind", type: "text", hasTerms: true },
  { name: "Tags", type: "list", hasTerms: true },
  { name: "Open", type: "boolean", hasTerms: true },
  { name: "Price", type: "number" },
  { name: "Since", type: "date" },
  { name: "Note", type: "text" },
];
const FILTERS = ownFilters({ columns: COLUMNS }, () => false);
const ROWS = `VALUES
  (1, 'Baker''s', ['a', 'b'], true, 2.5, '2020-05-31'),
  (2, 'Books', ['c'], false, 10, '2020-06-01'),
  (3, NULL, NULL, NULL, NULL, NULL)`;

const conditionOf = (name: string, value: string) => {
  const filter = FILTERS.find((known) => known.name === name);
  return filter && columnCondition(filter, value);
};

test.each([
  ["Kind", "Baker's,Other", [1]],
  ["Tags", "b,c", [1, 2]],
  ["Open", "false", [2]],
  ["Open", "true,false", [1, 2]],
  ["Price", "10,11", [2]],
  ["Price_min", "2.5", [1, 2]],
  ["Price_max", "9", [1]],
  ["Since", "2020-05", [1]],
  ["Since_min", "2020-06", [2]],
  ["Since_max", "2020-05", [1]],
  ["Since_max", "2020", [1, 2]],
])("%s=%s holds for the rows %j", async (name, value, rows) => {
  const duckdb = await (await DuckDBInstance.create()).connect();
  const sql = `SELECT id FROM (${ROWS}) AS t(id, "Kind", "Tags", "Open", "Price", "Since")`;
  const found = await duckdb.runAndReadAll(`${sql} WHERE ${conditionOf(name, value)} ORDER BY id`);
  expect(found.getRowObjects().map(({ id }) => id)).toEqual(rows);
});

test("SQL cannot express words", () => {
  expect(conditionOf("Note", "pain")).toBeUndefined();
});

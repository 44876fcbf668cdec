import { DOUBLE, INTEGER, LIST, MAP, STRUCT, VARCHAR } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { conform } from "./geojson-record.ts";

const TYPE = STRUCT({ name: VARCHAR, sizes: LIST(STRUCT({ at: DOUBLE })), tags: MAP(VARCHAR, VARCHAR) });

test("missing members are null, unknown ones are left out and reported", () => {
  const input = { name: "a", sizes: [{ at: 1, by: 2 }, { by: 3 }], tags: { x: "y" }, note: "z" };
  expect(conform("c", input, TYPE)).toEqual({
    value: { name: "a", sizes: [{ at: 1 }, { at: null }], tags: { x: "y" } },
    ignored: ["c.note", "c.sizes[].by"],
  });
  expect(conform("c", null, TYPE).value).toBe(null);
});

test.each([
  [1, VARCHAR, "1"],
  ["2.5", DOUBLE, 2.5],
  ["3", INTEGER, 3],
  [4, INTEGER, 4],
])("%j becomes %s", (input, type, value) => {
  expect(conform("c", input, type).value).toBe(value);
});

test.each([
  ["x", DOUBLE, 'c: "x" is no DOUBLE'],
  ["", INTEGER, 'c: "" is no INTEGER'],
  [1.5, INTEGER, "c: 1.5 is no INTEGER"],
  [3e9, INTEGER, "c: 3000000000 is no INTEGER"],
  [{}, VARCHAR, "c: {} is no VARCHAR"],
  [[], TYPE, "c: [] is no STRUCT"],
  [{ sizes: [{ at: "far" }] }, TYPE, 'c.sizes[].at: "far" is no DOUBLE'],
])("%j does not fit", (input, type, message) => {
  expect(() => conform("c", input, type)).toThrow(message);
});

import { DOUBLE, INTEGER, LIST, MAP, STRUCT, VARCHAR } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { conform, conformRow } from "./conform.ts";

const TYPE = STRUCT({ name: VARCHAR, sizes: LIST(STRUCT({ at: DOUBLE })), tags: MAP(VARCHAR, VARCHAR) });

test("missing members are null, unknown ones are left out and reported", () => {
  const input = { name: "a", sizes: [{ at: 1, by: 2 }, { by: 3 }], tags: { x: "y" }, note: "z" };
  expect(conform("c", input, TYPE)).toEqual({
    value: { name: "a", sizes: [{ at: 1 }, { at: null }], tags: { x: "y" } },
    ignored: ["c.note", "c.sizes[].by"],
  });
  expect(conform("c", null, TYPE).value).toBe(null);
});

const TAGS = MAP(VARCHAR, DOUBLE);

test.each([
  [{ x: 1, y: null }, TAGS, { x: 1, y: null }],
  [
    [
      ["x", 1],
      ["y", null],
    ],
    TAGS,
    { x: 1, y: null },
  ],
  [[{ key: "x", value: 1 }, { key: "y" }], TAGS, { x: 1, y: null }],
  [[], TAGS, {}],
  ['{"x": NaN, "y": -Infinity}', TAGS, { x: null, y: null }],
  ["null", TAGS, null],
  ['[["x", 1]]', TAGS, { x: 1 }],
  ["[1, 2]", LIST(DOUBLE), [1, 2]],
  ["a\ud800", VARCHAR, "a\ufffd"],
  ["nan", DOUBLE, null],
  [Number.POSITIVE_INFINITY, INTEGER, null],
])("%j as another program writes it", (input, type, value) => {
  expect(conform("c", input, type).value).toEqual(value);
});

test("flattened names are members, unless their column is there", () => {
  const columns = [{ name: "c", type: TYPE }];
  const row = (given: Record<string, unknown>) => conformRow(given, columns);
  expect(row({ "c.name": "a", "c.tags.x.y": "z", "c.constructor.x": 1, "d.e": 1 })).toEqual({
    text: '{"c":{"name":"a","sizes":null,"tags":{"x.y":"z"}}}',
    ignored: ["d.e", "c.constructor"],
  });
  expect(row({ c: { name: "a" }, "c.name": "b" })).toEqual({
    text: '{"c":{"name":"a","sizes":null,"tags":null}}',
    ignored: ["c.name"],
  });
  expect(row({ "c.__proto__.x": 1 }).ignored).toEqual(["c.__proto__"]);
  expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
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
  [[["x"]], TAGS, 'c: [["x"]] is no MAP'],
  [[["x", "far"]], TAGS, 'c.x: "far" is no DOUBLE'],
  ["[1", LIST(DOUBLE), 'c: "[1" is no DOUBLE[]'],
  [{ sizes: [{ at: "far" }] }, TYPE, 'c.sizes[].at: "far" is no DOUBLE'],
])("%j does not fit", (input, type, message) => {
  expect(() => conform("c", input, type)).toThrow(message);
});

import { expect, test } from "vitest";
import { writeJson } from "./json.ts";

test("shallow values are on one line, deeper ones have one line per member", () => {
  const value = { name: "x", nodes: [{ bbox: [1, 2] }, { bbox: [3, 4] }], none: [] };
  expect(writeJson(value)).toBe(
    '{\n "name": "x",\n "nodes": [\n  {"bbox":[1,2]},\n  {"bbox":[3,4]}\n ],\n "none": []\n}',
  );
});

test("contains the same data as JSON.stringify", () => {
  const value = { a: [{ b: [{ c: [1, "é\n", null] }] }], d: { e: { f: { g: true } } } };
  expect(JSON.parse(writeJson(value))).toEqual(value);
});

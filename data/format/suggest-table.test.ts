import { expect, test } from "vitest";
import { packSuggestions, STORED_SUGGEST_COLUMNS, SUGGEST_COLUMNS, unpackSuggestions } from "./suggest-table.ts";
import type { Table, TableValue } from "./tables.ts";

const ID = "871fdc03-7c9a-514d-a02c-aa3fbde799a4";

function division(
  id: string,
  changed: Readonly<Record<string, TableValue>> = {},
): Readonly<Record<string, TableValue>> {
  const names = { primary: "Apatin", common: { de: "Abthausen" } };
  const own = { id, country: "RS", names, detail: "", subtype: "locality", population: 18_320, point: [18.9, 45.6] };
  return { term: "name:apatin", found: ["Apatin"], ...own, bbox: [18.9, 45.6, 18.9, 45.6], ...changed };
}

function tableOf(rows: readonly Readonly<Record<string, TableValue>>[]): Table {
  return Object.fromEntries(SUGGEST_COLUMNS.map((name) => [name, rows.map((row) => row[name] ?? null)]));
}

test("suggestions are restored unchanged", () => {
  const table = tableOf([
    division(ID),
    division(ID, { term: "name:abthausen", found: ["Abthausen"] }),
    division("no-uuid", { bbox: [18, 45, 19, 46], population: 0 }),
    division(ID.toUpperCase(), { point: null, bbox: [0, 0, 0, 0], names: { common: {} }, found: [] }),
    division("A".repeat(22), { term: "populous:a", found: [] }),
    division("=", { country: null, names: null, found: null }),
    division(ID, { term: "populous:ap", found: [] }),
    // The same id, but another division.
    division(ID, { population: 1 }),
    division(ID, { population: 1, term: "z" }),
    division(ID, { term: "zz" }),
  ]);
  const stored = packSuggestions(table);
  expect(Object.keys(stored)).toEqual([...STORED_SUGGEST_COLUMNS]);
  expect(stored.again).toEqual([0, 1, 0, 0, 0, 0, 5, 0, 1, 6]);
  expect(unpackSuggestions(stored)).toEqual({ ...table, found: table.found?.with(5, []) });
});

test("a division is stored once, a point without a box, a UUID as 22 characters", () => {
  const stored = packSuggestions(tableOf([division(ID), division(ID, { term: "name:b" })]));
  expect(stored.id).toEqual(["hx/cA3yaUU2gLKo/veeZpA", null]);
  expect(stored.bbox).toEqual([null, null]);
  expect(stored.found).toEqual([null, null]);
  expect(packSuggestions(tableOf([division("x")])).id).toEqual(["=x"]);
});

test.each([
  ["a division that is not there", { again: [0, 2] }, "row 1 has the division 2 before, expected 0 to 1"],
  ["none before the first", { again: [1, 0] }, "row 0 has the division 1 before, expected 0 to 0"],
  ["no number", { again: [0, "x"] }, 'row 1 has the division "x" before, expected 0 to 1'],
  ["less than none", { again: [0, -1] }, "row 1 has the division -1 before, expected 0 to 1"],
  ["a broken id", { id: ["hx", null] }, '"hx" is no id: expected 16 bytes in base64'],
  ["an id of other characters", { id: ["hx/cA3yaUU2gLKo_veeZpA", null] }, '"hx/cA3yaUU2gLKo_veeZpA" is no id'],
  ["an id with bits too many", { id: ["hx/cA3yaUU2gLKo/veeZpB", null] }, '"hx/cA3yaUU2gLKo/veeZpB" is no id'],
])("refuses %s", (_, changed: Table, message) => {
  const stored = packSuggestions(tableOf([division(ID), division(ID, { term: "name:b" })]));
  expect(() => unpackSuggestions({ ...stored, ...changed })).toThrow(message);
});

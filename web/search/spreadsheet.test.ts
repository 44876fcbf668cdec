import Papa from "papaparse";
import { expect, test } from "vitest";
import { COLLECTIONS } from "../../data/format/collections.ts";
import { csvWriter } from "./csv.ts";

const tableOf = (name: string): string => {
  const csv = csvWriter({ schemas: [COLLECTIONS.place], includes: new Set(["names"]), isForSpreadsheets: true });
  const point = { type: "Point", coordinates: [7.4, -43.7] } as const;
  return csv.open + csv.write({ id: "a", type: "Feature", geometry: point, properties: { names: { primary: name } } });
};
const cellOf = (name: string) => Papa.parse<string[]>(tableOf(name), { newline: "\r\n" }).data[1]?.[3];

test.each([
  "=1+1",
  "+1 303 555 0100",
  "+13035550100",
  "-1+cmd|' /C calc'!A0",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n",
  "＝1+1",
  "－1",
  "-",
  "-1.2.3",
  '=HYPERLINK("https://example.com","x, y")',
])("a cell %j gets an apostrophe", (cell) => {
  expect(cellOf(cell)?.startsWith(`'${cell.slice(0, 1)}`)).toBe(true);
});

test.each([
  "",
  "-1",
  "-105.271",
  "4e-7",
  "-1.5E+10",
  "0",
  "Café = bar",
  "a-b",
  "http://a.b/?c=-d",
  "O'Hara",
  "a; b",
  "'=1",
])("a cell %j is unchanged", (cell) => {
  expect(cellOf(cell)).toBe(cell);
});

test.each([
  ["a;=1+1", "a;'=1+1"],
  ["a\n=1+1;@b", "a\n'=1+1;'@b"],
  ["a\r\n-1\t+2", "a\r\n'-1\t'+2"],
])("no cell starts within another where a semicolon separates cells: %j", (cell, expected) => {
  expect(cellOf(cell)).toBe(expected);
});

test("starts with a byte order mark, ends lines with CR LF, and leaves coordinates unchanged", () => {
  expect(tableOf('said "so",\r\nand more')).toBe(
    '\uFEFFid,longitude,latitude,name\r\na,7.4,-43.7,"said ""so"",\r\nand more"\r\n',
  );
});

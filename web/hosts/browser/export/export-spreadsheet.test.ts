import Papa from "papaparse";
import { expect, test } from "vitest";
import { forSpreadsheets } from "./export-spreadsheet.ts";

async function* cut(text: string, chars: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += chars) yield text.slice(start, start + chars);
}

async function guarded(rows: readonly (readonly string[])[], chars: number): Promise<string> {
  const table = Papa.unparse([["id", "name"], ...rows.map((row) => [...row])], { newline: "\r\n" });
  let text = "";
  for await (const piece of forSpreadsheets(cut(`${table}\r\n`, chars))) text += piece;
  return text;
}

async function cellOf(cell: string): Promise<string | undefined> {
  const text = await guarded([["1", cell]], 1000);
  return Papa.parse<string[]>(text, { newline: "\r\n" }).data[1]?.[1];
}

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
])("a cell %j begins with an apostrophe", async (cell) => {
  expect((await cellOf(cell))?.startsWith(`'${cell.slice(0, 1)}`)).toBe(true);
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
])("a cell %j stays as it is", async (cell) => {
  expect(await cellOf(cell)).toBe(cell);
});

test.each([
  ["a;=1+1", "a;'=1+1"],
  ["a\n=1+1;@b", "a\n'=1+1;'@b"],
  ["a\r\n-1\t+2", "a\r\n'-1\t'+2"],
])("no cell begins within another, where a semicolon parts cells: %j", async (cell, expected) => {
  expect(await cellOf(cell)).toBe(expected);
});

test("begins with a byte order mark, ends lines with CR LF, and is the same wherever its pieces are cut", async () => {
  const rows = [
    ["a", 'said "so",\r\nand more'],
    ["b", "=1\n=2"],
    ["c", ""],
  ];
  const expected = '\uFEFFid,name\r\na,"said ""so"",\r\nand more"\r\nb,"\'=1\n\'=2"\r\nc,\r\n';
  for (const chars of [1, 2, 3, 7, 1000]) expect(await guarded(rows, chars)).toBe(expected);
});

test("a table that ends in the middle of a row is refused", async () => {
  const all = async () => {
    for await (const _ of forSpreadsheets(cut('id,name\r\na,"half', 5)));
  };
  await expect(all()).rejects.toThrow('the table ends in the middle of a row: "a,\\"half"');
});

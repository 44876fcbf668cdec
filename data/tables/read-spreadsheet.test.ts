import { utils, write } from "@e965/xlsx";
import { describe, expect, test } from "vitest";
import { readTable } from "./index.ts";
import { read, workbook } from "./testing/read.ts";

describe("sheets of a spreadsheet", () => {
  const about = [["About"], ["This file has shops"]];
  const owners = [
    ["owner", "since"],
    ["B", 1990],
  ];
  const shops = [
    ["name", "lat", "lon"],
    ["A", 1, 2],
  ];
  const others = [
    ["name", "y", "x"],
    ["C", 3, 4],
  ];
  const sheets = { "Read me": about, Owners: owners, Shops: shops, Others: others };

  test.each(["xlsx", "xls", "ods"] as const)("%s: the first with coordinates is read", async (type) => {
    expect(await read("a", workbook(sheets, type))).toEqual({
      columns: ["name: text"],
      rows: [["POINT (2 1)", "A"]],
      notes: ["only the sheet Shops is read, not Read me, Owners, Others"],
    });
  });

  test("hidden sheets come last", async () => {
    const book = utils.book_new();
    for (const name of ["Old", "Shops"])
      utils.book_append_sheet(book, utils.aoa_to_sheet([...others.slice(0, 1), [name, 3, 4]]), name);
    book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] };
    const { rows, notes } = await readTable("a", new Uint8Array(write(book, { type: "array", bookType: "xlsx" })));
    expect(rows.map(({ values }) => values)).toEqual([["Shops"]]);
    expect(notes).toEqual(["only the sheet Shops is read, not Old"]);
  });

  test("merged rows have the value of the first, and formats of zeros are kept", async () => {
    const book = utils.book_new();
    const plz = (v: number) => ({ t: "n", v, z: "00000" });
    const sheet = utils.aoa_to_sheet([
      ["town", "plz", "lat", "lng"],
      ["Bern", plz(1067), 1, 2],
      [null, plz(20121), 3, 4],
    ]);
    sheet["!merges"] = [utils.decode_range("A2:A3")];
    utils.book_append_sheet(book, sheet, "Shops");
    const { rows } = await readTable("a", new Uint8Array(write(book, { type: "array", bookType: "xlsx" })));
    expect(rows.map(({ values }) => values)).toEqual([
      ["Bern", "01067"],
      ["Bern", "20121"],
    ]);
  });

  test("links that cells do not show have their own column", async () => {
    const book = utils.book_new();
    const linked = (v: string, Target: string) => ({ t: "s", v, l: { Target } });
    const sheet = utils.aoa_to_sheet([
      [null, "site", "mail", "lat", "lng"],
      [null, linked("Shop A", "https://a.example/"), linked("a@a.example", "mailto:a@a.example"), 1, 2],
      [null, "none", "b@b.example", 3, 4],
    ]);
    sheet["!ref"] = "B1:E3";
    utils.book_append_sheet(book, sheet, "Shops");
    const bytes = new Uint8Array(write(book, { type: "array", bookType: "xlsx" }));
    expect(await read("a.xlsx", bytes)).toEqual({
      columns: ["site: text", "mail: text", "site link: text"],
      rows: [
        ["POINT (2 1)", "Shop A", "a@a.example", "https://a.example/"],
        ["POINT (4 3)", "none", "b@b.example", null],
      ],
    });
  });

  test("XML of Excel 2003 is a spreadsheet", async () => {
    const cell = (value: string) => `<Cell><Data ss:Type="String">${value}</Data></Cell>`;
    const row = (...values: readonly string[]) => `<Row>${values.map(cell).join("")}</Row>`;
    const xml = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table>${row("name", "lat", "lng")}${row("A", "1", "2")}</Table></Worksheet></Workbook>`;
    expect(await read("a.xls", xml)).toEqual({ columns: ["name: text"], rows: [["POINT (2 1)", "A"]] });
  });

  test("options choose the sheet that has their columns", async () => {
    const { rows } = await readTable("a", workbook(sheets, "xlsx"), { lat: "y", lng: "x" });
    expect(rows.map(({ values }) => values)).toEqual([["C"]]);
  });

  test("without coordinates the first with several columns is read", async () => {
    const bytes = workbook({ "Read me": about, Owners: owners }, "xlsx");
    expect(await read("a", bytes)).toEqual({
      error: expect.stringMatching(/^no coordinates found in the columns owner, since: /),
    });
    const { rows } = await readTable("a", bytes, { allowNoGeometry: true });
    expect(rows.map(({ values }) => values)).toEqual([["B", 1990]]);
    expect(await read("a", workbook({ "Read me": about }, "xlsx"))).toEqual({
      error: expect.stringMatching(/^no coordinates found in the columns About: /),
    });
  });
});

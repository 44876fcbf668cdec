import { describe, expect, test } from "vitest";
import { readTable } from "./index.ts";
import { read } from "./testing/read.ts";

describe("lines and names of text tables", () => {
  test.each([
    ["sep=;\nname;lat;lng\nA;1;2\n", ["name: text"], 1],
    ["# made by hand\n# 2024\nname,lat,lng\nA,1,2\n", ["name: text"], 1],
    ["#name,lat,lng\nA,1,2\n", ["name: text"], 1],
    ["Shops of the town\n\nname,lat,lng\nA,1,2\n", ["name: text"], 1],
    ["My shops,2024\nname,lat,lng\nA,1,2\n", ["name: text"], 1],
    ["My shops\nname;location\nA;1.5, 2.5\n", ["name: text"], 1],
    ["Base,,Coordinates,\nid,name,lat,lng\n1,A,1,2\n", ["id: integer", "name: text"], 1],
    [
      "Shops;2024\nTitel;Stand;WKT;Zahl;Ort\nA;B;POINT(1 2);3;C\n",
      ["Titel: text", "Stand: text", "Zahl: integer", "Ort: text"],
      1,
    ],
    ["Shops;2024\nA;B;Gauss;Zahl;Ort\nA;B;POINT(1 2);3;C\n", ["A: text", "B: text", "Zahl: integer", "Ort: text"], 1],
    ["# from the town, 2024, June\nname,lat,lng\nA,1,2\n", ["name: text"], 1],
    ["name,,lat,lng,\nA,x,1,2,\n", ["name: text", "column_2: text"], 1],
    ["name,Name,name_2,lat,lng\nA,B,C,1,2\n", ["name: text", "Name_3: text", "name_2: text"], 1],
    ["48.1 11.5\n48.2 11.6\n", [], 2],
    ["POINT(1 2)\nPOINT(3 4)\n", [], 2],
    ['"name", "lat", "lng"\n"A, B", "1", "2"\n', ["name: text"], 1],
    ['"name;lat;lng"\n"A;1,5;2,5"\n"B ""x"";3,5;4,5"\n', ["name: text"], 2],
    ["name,lat,lng\nA\0B,1,2\n\0\0\0\0", ["name: text"], 1],
    ['"lat","lng","name"\n"1",1,2,"A"\n"2",3,4,"B"\n', ["column_1: integer", "name: text"], 2],
    ['name,lat,lng\r\n"A\nB",1,2\r\n', ["name: text"], 1],
  ])("%j", async (text, columns, rows) => {
    const found = await read("a.csv", text);
    expect("rows" in found ? [found.columns, found.rows.length] : found).toEqual([columns, rows]);
  });

  test("a row of units is rejected, and does not make numbers texts", async () => {
    const units = "time,latitude,longitude,sst\nUTC,degrees_north,degrees_east,degree_C\n";
    const table = await readTable("a.csv", new TextEncoder().encode(`${units}2024-01-01T00:00:00Z,1,2,12.5\n`));
    expect(table.columns.map(({ type }) => type)).toEqual(["date-time", "number"]);
    expect(table.rejects).toMatchObject([{ line: 2, reason: "not a coordinate", values: ["UTC", "degree_C"] }]);
  });

  test("a row with more fields than names is rejected with its line", async () => {
    const found = await read("a.csv", 'name,lat,lng\n"A\nA",1,2\nB,1,2,3\nC,3,4\n');
    expect(found).toMatchObject({ rejects: ["line 4: too many fields (4 fields, expected 3)"] });
  });

  test.each([
    ["windows-1250", "name;lat;lng\nŁódź, Žižkov;1;2\n", "b\xa3\xf3d\x9f, \x8ei\x9ekov"],
    ["windows-1253", "", "\xc1\xe8\xde\xed\xe1"],
    ["gbk", "", "\xb1\xb1\xbe\xa9\xd5\xbe"],
    ["euc-kr", "", "\xbc\xad\xbf\xef\xbf\xaa"],
    ["windows-1256", "", "\xc8\xd1\xcc \xc7\xe1\xda\xd1\xc8"],
  ])("%s is recognised", async (encoding, _, letters) => {
    const table = await readTable("a.csv", Buffer.from(`name;lat;lng\n${letters};1;2\n`, "latin1"));
    expect(table.encoding).toBe(encoding);
  });
});

import { expect, test } from "vitest";
import { readDbf } from "./read-dbf.ts";
import { readShapefile } from "./read-shapefile.ts";

type Parts = Readonly<Record<string, Uint8Array>>;
const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
/** Points on the equator with one column of eight bytes. */
const parts = (type: string, cells: readonly (string | readonly number[])[], cpg?: string): Parts => {
  const shp = new DataView(new ArrayBuffer(100 + cells.length * 28));
  shp.setInt32(32, 1, true);
  const dbf = new Uint8Array(65 + cells.length * 9);
  const header = new DataView(dbf.buffer);
  header.setUint32(4, cells.length, true);
  header.setUint16(8, 65, true);
  header.setUint16(10, 9, true);
  dbf.set(ascii(`v\0\0\0\0\0\0\0\0\0\0${type}`), 32);
  dbf.set([8], 48);
  dbf.set([0x0d], 64);
  for (const [index, cell] of cells.entries()) {
    const at = 100 + index * 28;
    shp.setInt32(at + 4, 10);
    shp.setInt32(at + 8, 1, true);
    shp.setFloat64(at + 12, index, true);
    dbf.fill(32, 65 + index * 9, 74 + index * 9);
    dbf.set(typeof cell === "string" ? ascii(cell) : cell, 66 + index * 9);
  }
  return { shp: new Uint8Array(shp.buffer), dbf, ...(cpg === undefined ? {} : { cpg: ascii(cpg) }) };
};
const valuesIn = async (given: Parts) => {
  const { rows, notes = [] } = await readShapefile((ending) => given[ending]);
  return [...rows.map(({ values }) => values[0]), ...notes];
};
const MUNICH = [0x4d, 0xfc, 0x6e, 0x63, 0x68, 0x65, 0x6e];
test.each([
  ["936", [0xb1, 0xb1, 0xbe, 0xa9], ["北京"]],
  ["950", [0xa5, 0x78, 0xa5, 0x5f], ["台北"]],
  ["932", [0x93, 0x8c, 0x8b, 0x9e], ["東京"]],
  ["949", [0xbc, 0xad, 0xbf, 0xef], ["서울"]],
  ["88591", MUNICH, ["München"]],
  ["ISO 8859-2", [0xa3, 0xf3, 0x64, 0xbc], ["Łódź"]],
  ["ANSI 1251", [0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0], ["Москва"]],
  ["OEM 866", [0x8c, 0xae, 0xe1, 0xaa, 0xa2, 0xa0], ["Москва"]],
  ["UTF-8", [0x4d, 0xc3, 0xbc], ["Mü"]],
  ["OEM 850", MUNICH, ["München", "read as windows-1252: the encoding OEM 850 of .cpg is not known"]],
  ["System", MUNICH, ["München", "read as windows-1252: the encoding System of .cpg is not known"]],
])("letters with the .cpg %s", async (cpg, cell, expected) =>
  expect(await valuesIn(parts("C", [cell], cpg))).toEqual(expected),
);
test("dates before 1900, and empty ones", async () =>
  expect(await valuesIn(parts("D", ["18890506", "20240229", "00000000", ""]))).toEqual([
    "1889-05-06",
    "2024-02-29",
    null,
    null,
  ]));
test("logical values that are not known", async () =>
  expect(await valuesIn(parts("L", ["T", "n", "?", ""]))).toEqual([true, false, null, null]));
test("numbers, and stars for one that does not fit", async () =>
  expect(await valuesIn(parts("N", ["12", "-1.5", "", "********"]))).toEqual([12, -1.5, null, Number.NaN]));
test("integers beyond 53 bits keep their digits", () => {
  const dbf = new Uint8Array(65 + 20);
  dbf.set([1, 0, 0, 0, 65, 0, 20], 4);
  dbf.set(ascii("id\0\0\0\0\0\0\0\0\0N\0\0\0\0\x13"), 32);
  dbf.set([0x0d], 64);
  dbf.set(ascii(" 1234567890123456789"), 65);
  expect(readDbf(dbf, (bytes) => new TextDecoder().decode(bytes)).rows).toEqual([["1234567890123456789"]]);
});
test("a .dbf that is too short is refused", async () => {
  const { shp, dbf } = parts("C", ["a", "b"]);
  const short = { shp, dbf: dbf?.subarray(0, 70) } as Parts;
  await expect(valuesIn(short)).rejects.toThrow("the Shapefile is damaged: the .dbf file is too short");
});
test("a MultiPatch is a reject", async () => {
  const shp = new DataView(new ArrayBuffer(160));
  for (const at of [32, 108]) shp.setInt32(at, 31, true);
  shp.setInt32(104, 26);
  const given: Parts = { ...parts("C", ["a"]), shp: new Uint8Array(shp.buffer) };
  const { rows } = await readShapefile((ending) => given[ending]);
  expect(rows[0]?.geometry).toMatchObject({ reason: "geometry type not supported", detail: "MultiPatch" });
});

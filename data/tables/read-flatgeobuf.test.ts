import { readFile } from "node:fs/promises";
import { serialize } from "flatgeobuf/lib/mjs/geojson.js";
import { expect, test } from "vitest";
import { readTable } from "./index.ts";

const HEADER = 8;
/** Numbers of fields in the schemas of FlatGeobuf. */
const [COLUMNS, FEATURES_COUNT, INDEX_NODE_SIZE, COLUMN_TYPE, GEOMETRY] = [7, 8, 9, 1, 0];

/** Tables of FlatBuffers in bytes that can be changed. */
function tables(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const target = (at: number) => at + view.getUint32(at, true);
  const slot = (table: number, field: number) => table - view.getInt32(table, true) + 4 + 2 * field;
  return {
    root: (at: number) => target(at + 4),
    at: (table: number, field: number) => table + view.getUint16(slot(table, field), true),
    item: (vector: number, index: number) => target(target(vector) + 4 + 4 * index),
    omit: (table: number, field: number) => view.setUint16(slot(table, field), 0, true),
    next: (at: number) => at + 4 + view.getUint32(at, true),
  };
}

const places = (...names: readonly string[]) =>
  serialize({
    type: "FeatureCollection",
    features: names.map((name, index) => ({
      type: "Feature",
      properties: { name },
      geometry: { type: "Point", coordinates: [index, 1] },
    })),
  });

test("a feature without geometry is rejected, and the others are read", async () => {
  const bytes = places("A", "B");
  const { next, omit, root } = tables(bytes);
  omit(root(next(HEADER)), GEOMETRY);
  const { rows, rejects } = await readTable("a.fgb", bytes);
  expect(rows.map(({ values }) => values)).toEqual([["B"]]);
  expect(rejects).toMatchObject([{ line: 1, reason: "no geometry", values: ["A"] }]);
});

test("a header with an unknown number of features and no index is read", async () => {
  const bytes = places("A", "B");
  const { omit, root } = tables(bytes);
  omit(root(HEADER), FEATURES_COUNT);
  omit(root(HEADER), INDEX_NODE_SIZE);
  expect((await readTable("a.fgb", bytes)).rows).toHaveLength(2);
});

test("a file with fewer features than it states is damaged", async () => {
  const bytes = places("A", "B");
  const { next } = tables(bytes);
  const cut = bytes.slice(0, next(next(HEADER)));
  await expect(readTable("a.fgb", cut)).rejects.toThrow("damaged: it has 1 rows and states 2");
});

test("whole numbers of 64 bits are exact", async () => {
  const bytes = new Uint8Array(await readFile(new URL("testing/formats/shops.fgb", import.meta.url)));
  const { at, item, root } = tables(bytes);
  const { columns } = await readTable("a.fgb", bytes);
  const rating = columns.findIndex(({ name }) => name === "rating");
  bytes[at(item(at(root(HEADER), COLUMNS), rating), COLUMN_TYPE)] = 7;
  const { rows } = await readTable("a.fgb", bytes);
  // the bits of 4.5 and 3
  expect(rows.map(({ values }) => values[rating])).toContain(String(0x4012000000000000n));
  expect(rows.map(({ values }) => values[rating])).toContain(String(0x4008000000000000n));
});

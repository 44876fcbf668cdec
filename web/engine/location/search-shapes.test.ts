import { beforeAll, expect, test } from "vitest";
import type { BBox } from "../../../data/format/bbox.ts";
import { folderSource } from "../../hosts/node/folder-source.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import type { ByteSource } from "../contract/ports.ts";
import { openDataset } from "../dataset.ts";
import { buildSample } from "../testing/sample.ts";

/** Monaco, with what lies in France around it. */
const BBOX: BBox = [7.4, 43.72, 7.45, 43.76];
const VALUES = ["motorway", "primary", "residential", "standard_gauge"];

let folder: string;
beforeAll(async () => {
  folder = await buildSample();
}, 300_000);

function open() {
  const inner = folderSource(folder);
  const read: { path: string; bytes: number }[] = [];
  const source: ByteSource = {
    name: inner.name,
    async read(path, options) {
      const bytes = await inner.read(path, options);
      read.push({ path, bytes: bytes.byteLength });
      return bytes;
    },
  };
  return { dataset: openDataset({ source, decode: decodeParquet }), read };
}

test("shapes with their values are those of the rows, of several countries, and no row is read", async () => {
  const { dataset, read } = open();
  const query = { collection: "segment", bbox: BBOX, facet: "class", values: VALUES } as const;
  const shapes = await dataset.shapesIn({ ...query, maxBytes: 1_000_000 });
  const kinds = [/^manifest/, /^segment\/_pages\//, /^segment\/_points\//, /^segment\/_term\//];
  expect(read.filter(({ path }) => !kinds.some((kind) => kind.test(path)))).toEqual([]);

  const terms = [VALUES.map((value) => `class:${value}`)];
  const whole = await open().dataset.search({
    collections: ["segment"],
    filters: { bbox: BBOX, terms },
    offset: 0,
    limit: 10_000,
  });
  const rows = [...whole.features()];
  expect(new Set(rows.map(({ properties }) => properties.ext_country)).size).toBeGreaterThan(1);
  const lineOf = (value: unknown, geometry: unknown) => JSON.stringify([value, geometry]);
  const expected = rows.map(({ properties, geometry }) => lineOf(properties.class, geometry)).sort();
  expect(expected.length).toBeGreaterThan(300);
  expect(shapes?.map(({ value, geometry }) => lineOf(value, geometry)).sort()).toEqual(expected);
});

test("with too many bytes there is no answer, and only the index is read", async () => {
  const { dataset, read } = open();
  const query = { collection: "segment", bbox: BBOX, facet: "class", values: VALUES } as const;
  expect(await dataset.shapesIn({ ...query, maxBytes: 50_000 })).toBeUndefined();
  expect(read.filter(({ path }) => /_points|_term/.test(path))).toEqual([]);
  expect(await dataset.shapesIn({ ...query, values: ["no_such_class"], maxBytes: 1_000_000 })).toEqual([]);
});

import { expect, test } from "vitest";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { CollectionName } from "../../../../data/format/collections.ts";
import { openDataset } from "../../../engine/index.ts";
import { buildSample } from "../../../engine/testing/sample.ts";
import { countingSource } from "../../../engine/testing/sources.ts";
import { folderSource } from "../../node/folder-source.ts";
import { decodeParquet } from "../../node/parquet.ts";
import { areasOf, townsIn } from "./towns.ts";

const source = countingSource(folderSource(await buildSample()));

async function townsOf(collection: CollectionName, language: string) {
  const dataset = openDataset({ source, decode: decodeParquet });
  const boxes = await dataset.rowBoxes([collection], { maxBytes: 64 * 1024 });
  // the page reads this in idle time
  await dataset.prefetchIndex();
  source.reset();
  return townsIn(dataset, boxes, { language, signal: new AbortController().signal });
}

test("finds the towns with data, in the language of the user, with few small requests", async () => {
  const towns = await townsOf("place", "ja");
  expect(towns.map(({ name, rows }) => [name, rows])).toEqual([
    ["Boulder", 3545],
    ["モナコ", 792],
  ]);
  for (const [index, [lon, lat]] of [[-105.271, 40.0165] as const, [7.4206, 43.7347] as const].entries()) {
    expect(Math.hypot((towns[index]?.lon ?? 0) - lon, (towns[index]?.lat ?? 0) - lat)).toBeLessThan(0.05);
  }
  expect(source.requests.length).toBeLessThanOrEqual(8);
  expect(source.requests.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(45_000);
  expect((await townsOf("segment", "fr")).map(({ name }) => name)).toEqual(["Boulder", "Monaco"]);
});

test("no town is read if rows are spread over countries", async () => {
  expect(await townsOf("division", "en")).toEqual([]);
  expect(source.requests).toEqual([]);
});

test("boxes near each other are one area, and with many areas the result is empty", () => {
  const at = (lon: number, rows: number, country = "FR") => ({
    bbox: [lon, 48, lon + 0.1, 48.1] as BBox,
    rows,
    country,
  });
  expect(areasOf([at(2, 5), at(2.2, 7), at(9, 3, "DE")])?.map(({ rows, country }) => [rows, country])).toEqual([
    [12, "FR"],
    [3, "DE"],
  ]);
  expect(areasOf([1, 2, 3, 4, 5].map((lon) => at(lon, 1)))).toBeUndefined();
  const { country: _, ...page } = at(2, 5);
  expect(areasOf([page]), "a page of the index may be of several countries").toBeUndefined();
  expect(areasOf([{ bbox: [0, 45, 5, 50], rows: 5, country: "FR" }])).toBeUndefined();
  expect(areasOf([])).toEqual([]);
});

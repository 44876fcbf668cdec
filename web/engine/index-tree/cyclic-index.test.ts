import { expect, test } from "vitest";
import { MAX_INDEX_DEPTH } from "../../../data/format/walk-index.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { FetchError, ManifestError } from "../contract/errors.ts";
import type { Query } from "../contract/query.ts";
import { type Dataset, openDataset } from "../dataset.ts";
import { createMemo } from "../tasks/memo.ts";
import { cyclicIndex } from "../testing/cyclic-index.ts";
import { memorySource } from "../testing/sources.ts";
import { type AreaSelection, listAreaFiles } from "./area-files.ts";
import type { IndexPage } from "./files.ts";
import { readIndex } from "./tree.ts";

type Files = ReadonlyMap<string, Uint8Array>;

const open = (files: Files) => openDataset({ source: memorySource(files), decode: decodeParquet });
const query = (conditions: Partial<Query>): Query => ({ collections: ["place"], offset: 0, limit: 5, ...conditions });
const circle = { lon: 0, lat: 0, radiusMeters: 300 };
const search = (conditions: Partial<Query>) => (files: Files) => open(files).search(query(conditions));
const area = (selection: Partial<AreaSelection>) => async (files: Files) => {
  const index = await readIndex({ source: memorySource(files), pages: createMemo<IndexPage>() });
  const shape = { kind: "circle", ...circle } as const;
  return listAreaFiles({ shape, collections: ["place"], hasNames: false, ...selection }, index);
};
const ask = (work: (dataset: Dataset) => Promise<unknown>) => (files: Files) => work(open(files));

const WALKS: readonly [string, (files: Files) => Promise<unknown>][] = [
  ["a search in a circle", search({ circle })],
  ["a search in a circle and a country", search({ circle, country: "AA" })],
  ["a search in a country", search({ country: "AA", limit: 10_000 })],
  ["a search in a box", search({ filters: { bbox: [-1, -1, 1, 1] } })],
  ["a search by confidence", search({ country: "AA", filters: { atLeast: { confidence: 0.5 } } })],
  ["a search by name", search({ country: "AA", filters: { terms: [["name:abc"]] } })],
  ["a search by a short prefix", search({ country: "AA", filters: { terms: [["name:a"]] } })],
  ["a search by name in a circle", search({ circle, country: "AA", filters: { terms: [["name:abc"]] } })],
  ["a look by id", ask((dataset) => dataset.find(["place"], "m"))],
  ["a count", ask((dataset) => dataset.group(query({}), "country"))],
  ["a suggestion", ask((dataset) => dataset.suggest({ text: "abc", country: "AA", limit: 5 }))],
  ["a look ahead", ask((dataset) => dataset.prefetchIndex({ maxBytes: 1e9 }))],
  [
    "a look ahead near a place",
    ask((dataset) => dataset.prefetchIndex({ near: { ...circle, collections: ["place"] } })),
  ],
  ["an area that is a circle", area({})],
  ["an area that is a box", area({ shape: { kind: "bbox", bbox: [-1, -1, 1, 1] } })],
  ["an area that is a country", area({ shape: { kind: "country", country: "AA" } })],
  ["an area with names", area({ hasNames: true })],
];

test.each(WALKS)("%s ends where pages name each other's children", async (_, walk) => {
  const walked = walk(await cyclicIndex({ width: 3, depth: 8 }));
  await expect(walked).rejects.toThrow(ManifestError);
  await expect(walked).rejects.toThrow(/names page [0-9a-f]{16} twice, expected once/);
});

test.each(WALKS)("%s ends where pages are nested too deeply", async (_, walk) => {
  const walked = walk(await cyclicIndex({ width: 1, depth: MAX_INDEX_DEPTH + 1 }));
  await expect(walked).rejects.toThrow(ManifestError);
  await expect(walked).rejects.toThrow(/9 pages deep, expected at most 8/);
});

test.each(WALKS.slice(0, 7))("%s reaches the partitions of the deepest valid index", async (_, walk) => {
  // it has no partitions
  await expect(walk(await cyclicIndex({ width: 1, depth: MAX_INDEX_DEPTH }))).rejects.toThrow(FetchError);
});

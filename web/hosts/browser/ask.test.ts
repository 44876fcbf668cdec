import { expect, test } from "vitest";
import { FetchError } from "../../engine/errors.ts";
import { openDataset } from "../../engine/index.ts";
import { type MadeUpRow, makeDataset } from "../../engine/testing/made-up-dataset.ts";
import { memorySource } from "../../engine/testing/sources.ts";
import { decodeParquet } from "../node/parquet.ts";
import { createAsk } from "./ask.ts";
import type { Origin } from "./cache/cache-source.ts";

const rows: readonly MadeUpRow[] = Array.from({ length: 40 }, (_, i) => ({
  id: `row${i}`,
  country: "AA",
  geometry: { type: "Point", coordinates: [i / 100, 0] },
}));
const source = memorySource(await makeDataset({ place: rows }, { rowsPerPartition: 10 }));
const NEARBY = "http://127.0.0.1/places?lat=0&lng=0.1&radius=5000&limit=5";

test("an answer tells which files it read, and where they were", async () => {
  const origins = new Map<string, Origin>();
  const noted = {
    name: source.name,
    read: (path: string) => {
      origins.set(path, path === "manifest.json" ? "network" : "cache");
      return source.read(path);
    },
  };
  const { ask } = createAsk({ dataset: openDataset({ source: noted, decode: decodeParquet }) }, origins);
  const first = (await ask(new Request(NEARBY))).report;
  const [manifest, ...others] = first?.files ?? [];
  expect(manifest).toMatchObject({ path: "manifest.json" });
  expect(others.map(({ from }) => from)).toEqual(["cache", "cache"]);
  expect(first?.files.slice(1).every(({ rows, bbox }) => rows !== undefined && bbox?.length === 4)).toBe(true);
  const again = (await ask(new Request(NEARBY))).report;
  expect(new Set(again?.files.map(({ from }) => from))).toEqual(new Set(["memory"]));
  expect(again?.files.map(({ path }) => path).sort()).toEqual(first?.files.map(({ path }) => path).sort());
});

test("an answer that is no search has no report", async () => {
  const { ask } = createAsk({ dataset: openDataset({ source, decode: decodeParquet }) }, new Map());
  expect(await ask(new Request("http://127.0.0.1/places?lat=91&lng=0"))).toMatchObject({ status: 400 });
  expect((await ask(new Request("http://127.0.0.1/places?lat=91&lng=0"))).report).toBeUndefined();
});

test.each([
  ["nobody answers", { cause: new TypeError("Failed to fetch") }, true],
  ["the host answers 404", { status: 404 }, undefined],
] as const)("a search that fails because %s says whether to ask again", async (_, fault, isUnanswered) => {
  let isLost = false;
  const losing = {
    name: source.name,
    read: async (path: string) => {
      if (isLost) throw new FetchError("no", { path, ...fault });
      return source.read(path);
    },
  };
  const dataset = openDataset({ source: losing, decode: decodeParquet });
  const { ask } = createAsk({ dataset }, new Map());
  await dataset.manifest();
  isLost = true;
  const answer = await ask(new Request(NEARBY));
  expect([answer.status, answer.isUnanswered]).toEqual([503, isUnanswered]);
  isLost = false;
  expect((await ask(new Request(NEARBY))).isUnanswered).toBeUndefined();
});

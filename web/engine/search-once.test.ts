import { afterEach, expect, test, vi } from "vitest";
import { decodeParquet } from "../hosts/node/parquet.ts";
import type { ByteSource } from "./contract/ports.ts";
import { openDataset } from "./dataset.ts";
import { makeDataset } from "./testing/made-up-dataset.ts";
import { memorySource } from "./testing/sources.ts";

const place = Array.from({ length: 40 }, (_, i) => ({
  id: `row${String(i).padStart(2, "0")}`,
  country: "AA",
  geometry: { type: "Point", coordinates: [i / 100, 0] } as const,
}));
const circle = { lon: 0, lat: 0, radiusMeters: 30_000 };

afterEach(() => {
  vi.restoreAllMocks();
});

test("a search hashes the manifest, each slice and each group of records once, also with a cache that validates, and sorts distances once", async () => {
  const inner = memorySource(await makeDataset({ place }, { rowsPerPartition: 10, rowsPerGroup: 4 }));
  const sound: boolean[] = [];
  const source: ByteSource = {
    name: "cache",
    async read(path, options) {
      const bytes = await inner.read(path, options);
      if (path !== "manifest.json") sound.push((await options?.isSound?.(bytes)) ?? false);
      return bytes;
    },
  };
  const dataset = openDataset({ source, decode: decodeParquet });
  const hashed = vi.spyOn(crypto.subtle, "digest");
  const sorted = vi.spyOn(Float64Array.prototype, "sort");
  const { total, report } = await dataset.search({ collections: ["place"], circle, offset: 0, limit: 27 });
  expect(total).toBe(27);
  const files = report.files.filter(({ path }) => path !== "manifest.json");
  const slices = files.filter(({ path }) => !path.includes("/_records/"));
  // points of three partitions, the dictionary, and one range of records
  expect([slices.length, files.length]).toEqual([4, 5]);
  // a group has rows of one slice: two slices of ten rows, and seven rows of the third
  const groups = 3 + 3 + 2;
  expect(hashed).toHaveBeenCalledTimes(1 + slices.length + groups);
  expect(sound).toEqual(Array(files.length).fill(true));
  expect(sorted).toHaveBeenCalledTimes(1);
});

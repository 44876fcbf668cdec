import { afterEach, expect, test, vi } from "vitest";
import { cacheFiles } from "../hosts/browser/storage/cache-files.ts";
import { cacheSource } from "../hosts/browser/storage/cache-source.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
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
  vi.unstubAllGlobals();
});

test("a search hashes each file once and sorts distances once", async () => {
  vi.stubGlobal("caches", { open: async () => ({ match: async () => undefined, put: async () => {} }) });
  const inner = memorySource(await makeDataset({ place }, { rowsPerPartition: 10 }));
  const source = cacheSource({ inner, files: cacheFiles(new URL("https://host.example/maps/")) });
  const dataset = openDataset({ source, decode: decodeParquet, executor: "scan" });
  const hashed = vi.spyOn(crypto.subtle, "digest");
  const sorted = vi.spyOn(Float64Array.prototype, "sort");
  const { total, report } = await dataset.search({ collections: ["place"], circle, offset: 0, limit: 40 });
  expect(total).toBe(27);
  const files = report.files.filter(({ path }) => path !== "manifest.json");
  expect(files.length).toBeGreaterThan(1);
  expect(hashed).toHaveBeenCalledTimes(files.length);
  expect(sorted).toHaveBeenCalledTimes(1);
});

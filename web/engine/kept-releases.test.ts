import { expect, test } from "vitest";
import { parseManifest } from "../../data/format/manifest-schema.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { FetchError } from "./contract/errors.ts";
import type { ByteSource } from "./contract/ports.ts";
import type { Query } from "./contract/query.ts";
import { openDataset } from "./dataset.ts";
import { makeDataset } from "./testing/made-up-dataset.ts";

const releaseOf = (release: string, count: number) =>
  makeDataset(
    {
      place: Array.from({ length: count }, (_, i) => ({
        id: `row${i}`,
        country: "AA",
        geometry: { type: "Point", coordinates: [i / 1000, 0] } as const,
      })),
    },
    { release, rowsPerPartition: 4, nodesPerPage: 2 },
  );
const old = await releaseOf("old", 10);
const present = await releaseOf("present", 12);
const manifestOf = (files: ReadonlyMap<string, Uint8Array>) =>
  parseManifest(JSON.parse(new TextDecoder().decode(files.get("manifest.json"))));

const query: Query = { collections: ["place"], circle: { lon: 0, lat: 0, radiusMeters: 5000 }, offset: 0, limit: 50 };

/** The current manifest, with the files of stored releases; for other files `fault` simulates the network. */
function device(
  kept: readonly ReadonlyMap<string, Uint8Array>[],
  fault: { readonly status?: number; readonly cause?: unknown },
) {
  const source: ByteSource = {
    name: "device",
    async read(path) {
      const files = path === "manifest.json" ? [present] : kept;
      const bytes = files.map((each) => each.get(path)).find((found) => found !== undefined);
      if (bytes) return bytes;
      throw new FetchError(`${path} is not here`, { path, ...fault });
    },
  };
  const keptManifests = async () => kept.map(manifestOf);
  return openDataset({ source, decode: decodeParquet, keptManifests });
}

const OFFLINE = { cause: new TypeError("no network") };

test("without a network a search is answered from a stored release, and reports which", async () => {
  const { total, report } = await device([old], OFFLINE).search(query);
  expect([total, report.release]).toEqual([10, "old"]);
});

test("the current release is preferred when its files are stored", async () => {
  const { total, report } = await device([old, present], OFFLINE).search(query);
  expect([total, report.release]).toEqual([12, "present"]);
});

test("a host that answers is final: no old answer replaces a missing file", async () => {
  await expect(device([old], { status: 404 }).search(query)).rejects.toMatchObject({ status: 404 });
});

test("the error names the file of the current release when no stored release is complete", async () => {
  const half = new Map([...old].filter(([path]) => path.endsWith(".json")));
  const search = device([half], OFFLINE).search(query);
  await expect(search).rejects.toSatisfy((error: FetchError) => present.has(error.path));
});

test("a named release is answered from that release or not at all", async () => {
  const totalOf = async (dataset: ReturnType<typeof device>, release: string) =>
    (await dataset.onRelease((one) => one.search(query), { release })).total;
  expect(await totalOf(device([old], OFFLINE), "old")).toBe(10);
  expect(await totalOf(device([old, present], OFFLINE), "present")).toBe(12);
  await expect(totalOf(device([old], OFFLINE), "present")).rejects.toBeInstanceOf(FetchError);
  await expect(totalOf(device([present], OFFLINE), "old")).rejects.toThrow(
    'release must be one of "present", got "old"; the current release is "present": start again',
  );
});

test("work of several reads starts again on a stored release, and all its reads are of that one", async () => {
  const dataset = device([old], OFFLINE);
  const releases: string[] = [];
  const { release, totals } = await dataset.onRelease(async (one) => {
    releases.push((await one.manifest()).release);
    const reads = [await one.search(query), await one.search({ ...query, limit: 0 })];
    return { release: (await one.manifest()).release, totals: reads.map(({ total }) => total) };
  });
  expect([releases, release, totals]).toEqual([["present", "old"], "old", [10, 10]]);
});

/** The first answer of a small table: few requests and bytes on every host. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Manifest, ManifestCollection } from "../data/format/manifest.ts";
import { readManifestFile, writeManifestFile } from "../data/format/manifest-file.ts";
import { buildDataset } from "../pipeline/builder/dataset/index.ts";
import { temporaryFolders } from "../pipeline/testing/folders.ts";
import { verifyDataset } from "../pipeline/tools/verify/verify.ts";
import { type Dataset, openDataset } from "../web/engine/index.ts";
import { httpSource } from "../web/hosts/http/index.ts";
import { openNodeDataset } from "../web/hosts/node/open.ts";
import { decodeParquet } from "../web/hosts/node/parquet.ts";
import { parseSearch, pathNamed, runSearch, searchPathsOf } from "../web/search/index.ts";
import { csvOf, shopsOf } from "./support/bike-shops.ts";
import { countedFetch } from "./support/counted-fetch.ts";
import { startStaticServer } from "./support/static-server.ts";

const newFolder = temporaryFolders();

/** A Parquet reader that is loaded, and one that is not, as on a first visit. */
const READERS = [0, 1_100_000];

/** The shops of all countries, nearest first, and those near the middle of Dublin. */
const RADII = ["20015086", "5000"];

const ASK = `
import sys
sys.path.insert(0, sys.argv[1])
from cairn_reader import Dataset
dataset = Dataset(sys.argv[2])
reads = []
read = dataset._read
dataset._read = lambda path, span: reads.append(path) or read(path, span)
found = dataset.collection("shops").search(lat=53.3438, lng=-6.2546, radius=20015086)
print(found.total, sum("/_points/" in path for path in reads), ",".join(row["Name"] for row in found))
`;

/** What the reader for Python answers: all shops, the reads of points, and the names of the first 25; undefined without Python. */
async function askPython(dataset: string): Promise<string | undefined> {
  const isThere = await promisify(execFile)("python3", ["--version"]).catch(() => undefined);
  if (!isThere) return undefined;
  const { stdout } = await promisify(execFile)("python3", ["-c", ASK, "data/python", dataset]);
  return stdout.trim();
}

test.each([
  // Everything is in the manifest.
  [40, 1, 8_500],
  [600, 1, 36_000],
  [1000, 1, 55_000],
  // The manifest, and one range of records: two round trips.
  [5000, 2, 90_000],
])("the first answer of %i shops takes %i requests and %i bytes", async (count, mostRequests, mostBytes) => {
  const folder = await newFolder();
  const [file, out] = [join(folder, "shops.csv"), join(folder, "dataset")];
  await writeFile(file, csvOf(await shopsOf(count)));
  await buildDataset({ sources: [file], out });
  expect((await verifyDataset(out)).flatMap(({ faults }) => faults)).toEqual([]);
  let names = "";
  for (const hasRanges of [true, false]) {
    const host = await startStaticServer({ folders: { "/": out }, hasRanges });
    try {
      for (const decodeBytes of READERS) {
        for (const radius of RADII) {
          const { fetch, counted } = countedFetch();
          const source = httpSource(host.url, { fetch });
          const dataset = openDataset({ source, decode: decodeParquet, decodeBytes: () => decodeBytes });
          const path = pathNamed(searchPathsOf(await dataset.manifest()), "/shops");
          const search = parseSearch(path, { lat: "53.3438", lng: "-6.2546", radius, limit: "25" });
          const found = await runSearch(dataset, search);
          const features = [...found.features()];
          expect(features.length).toBe(Math.min(25, found.total));
          if (radius === RADII[0]) {
            expect(found.total).toBe(count);
            names = features.map(({ properties }) => properties.Name).join();
          }
          expect(counted.requests).toBeLessThanOrEqual(mostRequests + Number(!hasRanges && mostRequests > 1));
          // A host without ranges sends the whole pack of records.
          expect(counted.bytes).toBeLessThanOrEqual(hasRanges ? mostBytes : Math.max(mostBytes, 90 * count));
        }
      }
    } finally {
      await host.close();
    }
  }
  expect([undefined, `${count} 0 ${names}`]).toContain(await askPython(out));
});

/** The nearest 25 shops, and the files that they were read from. */
async function nearest(dataset: Dataset): Promise<{ names: string; packs: number }> {
  const path = pathNamed(searchPathsOf(await dataset.manifest()), "/shops");
  const search = parseSearch(path, { lat: "53.3438", lng: "-6.2546", radius: "20015086", limit: "25" });
  const { features, report } = await runSearch(dataset, search);
  const names = [...features()].map(({ properties }) => properties.Name).join();
  return { names, packs: report.files.filter(({ from }) => from === "source").length };
}

test("records are read from their pack if those in the manifest are damaged or left out", async () => {
  const folder = await newFolder();
  const [file, out] = [join(folder, "shops.csv"), join(folder, "dataset")];
  await writeFile(file, csvOf(await shopsOf(1000)));
  await buildDataset({ sources: [file], out });
  const whole = await nearest(openNodeDataset(out));
  expect(whole.packs).toBe(0);
  const path = join(out, "manifest.json");
  const manifest = await readManifestFile(await readFile(path));
  const { texts, ...shops } = ownCollection(manifest);
  for (const other of [{}, { texts: "!" }, { texts: (texts ?? "").slice(0, 4000) }]) {
    await writeFile(path, await writeManifestFile({ ...manifest, collections: { shops: { ...shops, ...other } } }));
    const { names, packs } = await nearest(openNodeDataset(out));
    expect(names).toBe(whole.names);
    expect(packs).toBeGreaterThan(0);
  }
});

function ownCollection({ collections }: Manifest): ManifestCollection {
  const [only] = Object.values(collections);
  if (!only) throw new Error("the dataset has no collection");
  return only;
}

/**
 * Whether memory stays flat: random searches for as long as is wanted, over a budget that makes partitions leave.
 * `npm run soak -- --minutes 60`
 * @module
 */
import { parseArgs } from "node:util";
import type { CollectionName } from "../../data/format/collections.ts";
import { type Dataset, openDataset, type Query } from "../../web/engine/index.ts";
import { type Random, randomFrom } from "../../web/engine/testing/random.ts";
import { createDuckdb } from "../../web/hosts/node/duckdb-database.ts";
import { folderSource } from "../../web/hosts/node/folder-source.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";

const MEBIBYTE = 1024 * 1024;
const PLACES = [
  [-105.27, 40.015],
  [7.42, 43.735],
  [2.35, 48.86],
  [139.7, 35.68],
] as const;

interface Sample {
  readonly minute: number;
  readonly searches: number;
  readonly rssMiB: number;
  readonly heapMiB: number;
  readonly buffersMiB: number;
  readonly heldMiB: number;
}

function randomQuery(random: Random, names: readonly CollectionName[], countries: readonly string[]): Query {
  const page = { collections: [random.of(names)], offset: random.of([0, 0, 100]), limit: random.of([1, 25, 1000]) };
  if (random.below(5) === 0) return { ...page, country: random.of(countries) };
  const [lon, lat] = random.of(PLACES);
  const spread = { lon: lon + random.spread(0.05), lat: lat + random.spread(0.05) };
  return { ...page, circle: { ...spread, radiusMeters: random.magnitude(10, 20_000) } };
}

function measure(dataset: Dataset, startMs: number, searches: number): Sample {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    minute: (performance.now() - startMs) / 60_000,
    searches,
    rssMiB: rss / MEBIBYTE,
    heapMiB: heapUsed / MEBIBYTE,
    buffersMiB: external / MEBIBYTE,
    heldMiB: dataset.heldBytes() / MEBIBYTE,
  };
}

/** Least squares over the second half, when caches have filled: MiB a minute. */
function slopeOf(samples: readonly Sample[], key: "rssMiB" | "heapMiB" | "buffersMiB"): number {
  const late = samples.slice(samples.length / 2);
  const mean = (value: (sample: Sample) => number) => late.reduce((sum, each) => sum + value(each), 0) / late.length;
  const minute = mean((each) => each.minute);
  const level = mean((each) => each[key]);
  const covariance = mean((each) => (each.minute - minute) * (each[key] - level));
  return covariance / mean((each) => (each.minute - minute) ** 2);
}

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    dataset: { type: "string", default: ".cairn/dataset" },
    budget: { type: "string", default: "32" },
  },
});
const minutes = Number(values.minutes);
const budgetMiB = Number(values.budget);
if (!(minutes > 0 && budgetMiB > 0)) throw new Error("--minutes and --budget (MiB) are numbers above 0");

const dataset = openDataset({
  source: folderSource(values.dataset),
  decode: decodeParquet,
  database: createDuckdb,
  cacheBytes: budgetMiB * MEBIBYTE,
});
const { collections } = await dataset.manifest();
const names = Object.keys(collections) as CollectionName[];
const countries = [...new Set(Object.values(collections).flatMap((each) => Object.keys(each.countries)))];
const random = randomFrom(20261121);
const startMs = performance.now();
const endMs = startMs + minutes * 60_000;
const everyMs = (minutes * 60_000) / 30;
const samples: Sample[] = [];
let searches = 0;
let nextMs = startMs;
let overMiB = 0;
while (performance.now() < endMs) {
  const { features } = await dataset.search(randomQuery(random, names, countries));
  for (const _ of features());
  searches++;
  overMiB = Math.max(overMiB, dataset.heldBytes() / MEBIBYTE - budgetMiB);
  if (performance.now() < nextMs) continue;
  nextMs += everyMs;
  const sample = measure(dataset, startMs, searches);
  samples.push(sample);
  const shown = Object.entries(sample).map(([key, value]) => `${key} ${key === "searches" ? value : value.toFixed(1)}`);
  console.log(shown.join("  "));
}
for (const key of ["rssMiB", "heapMiB", "buffersMiB"] as const) {
  console.log(`${key}: ${slopeOf(samples, key).toFixed(3)} MiB a minute in the second half`);
}
console.log(
  `${searches} searches; ${overMiB > 0 ? `${overMiB.toFixed(1)} MiB over` : "never over"} the budget of ${budgetMiB} MiB`,
);
process.exitCode = overMiB > 0 ? 1 : 0;

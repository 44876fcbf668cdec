/**
 * Checks that memory in Node stays constant: random searches for a given time, with a cache too small for all
 * partitions and index pages. Needs Linux. Makes glibc return freed blocks from 128 KiB at once; otherwise its caches
 * grow by about 2 MiB per minute. `npm run soak -- --minutes 60 --budget 32`
 * @module
 */
import { setTimeout as wait } from "node:timers/promises";
import type { CollectionName } from "../../../data/format/collections.ts";
import { type Dataset, openDataset, type Query } from "../../../web/engine/index.ts";
import { type Random, randomFrom } from "../../../web/engine/testing/random.ts";
import { folderSource } from "../../../web/hosts/node/folder-source.ts";
import { decodeParquet } from "../../../web/hosts/node/parquet.ts";
import { readOptions } from "../../support/options.ts";
import { ownBytes } from "./own-memory.ts";
import { judge, lineOf, type Sample } from "./trend.ts";

const MEBIBYTE = 1024 * 1024;
/** Buffers are freed in a task after the garbage collection. */
const SWEEP_MS = 50;
const WORDS = ["a", "ca", "rue", "st", "saint", "boulder", "monaco", "ma", "condamine", "b"];
const PLACES = [
  [-105.27, 40.015],
  [7.42, 43.735],
  [2.35, 48.86],
  [139.7, 35.68],
] as const;

function randomQuery(random: Random, names: readonly CollectionName[], countries: readonly string[]): Query {
  const page = { collections: [random.of(names)], offset: random.of([0, 0, 100]), limit: random.of([1, 25, 1000]) };
  if (random.below(5) === 0) return { ...page, country: random.of(countries) };
  const [lon, lat] = random.of(PLACES);
  const spread = { lon: lon + random.spread(0.05), lat: lat + random.spread(0.05) };
  const circle = { ...spread, radiusMeters: random.magnitude(10, 20_000) };
  if (random.below(5) === 0) return { ...page, circle, filters: { terms: [[`name:${random.of(WORDS)}`]] } };
  return { ...page, circle };
}

/** Asks one question. Converts the answer to features and drops them. */
async function ask(dataset: Dataset, random: Random, query: Query): Promise<void> {
  if (random.below(10) === 0) {
    await dataset.suggest({ text: random.of(WORDS), near: query.circle, country: random.of(["US", "MC"]), limit: 10 });
    return;
  }
  const { features } = await dataset.search(query);
  let last = "";
  for (const { id } of features()) last = id;
  if (last !== "" && random.below(10) === 0) await dataset.find(query.collections, last);
}

async function measure(dataset: Dataset, startMs: number, searches: number, leastOwn: number): Promise<Sample> {
  globalThis.gc?.();
  await wait(SWEEP_MS);
  globalThis.gc?.();
  await wait(SWEEP_MS);
  const { heapUsed, external } = process.memoryUsage();
  return {
    minute: (performance.now() - startMs) / 60_000,
    searches,
    memory: {
      // Process memory without program pages, which load at first use. The minimum since the last sample, because
      // heaps keep free memory.
      ownMiB: Math.min(ownBytes(process.pid), leastOwn) / MEBIBYTE,
      heapMiB: heapUsed / MEBIBYTE,
      buffersMiB: external / MEBIBYTE,
      heldMiB: dataset.heldBytes() / MEBIBYTE,
    },
  };
}

const { values, refuse } = readOptions({
  usage: "npm run soak -- [--minutes 60] [--dataset <folder>] [--budget <MiB>]",
  options: {
    minutes: { type: "string", default: "60" },
    dataset: { type: "string", default: ".cairn/dataset" },
    budget: { type: "string", default: "32" },
  },
});
const minutes = Number(values.minutes);
const budgetMiB = Number(values.budget);
if (!(minutes > 0 && budgetMiB > 0)) throw refuse("--minutes and --budget (MiB) are numbers above 0");

const dataset = openDataset({
  source: folderSource(values.dataset),
  decode: decodeParquet,
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
let leastOwn = Infinity;
while (performance.now() < endMs) {
  await ask(dataset, random, randomQuery(random, names, countries));
  searches++;
  overMiB = Math.max(overMiB, dataset.heldBytes() / MEBIBYTE - budgetMiB);
  leastOwn = Math.min(leastOwn, ownBytes(process.pid));
  if (performance.now() < nextMs) continue;
  nextMs += everyMs;
  const sample = await measure(dataset, startMs, searches, leastOwn);
  leastOwn = Infinity;
  samples.push(sample);
  console.log(lineOf(sample));
}
const isFlat = judge(samples, ["ownMiB", "heapMiB", "buffersMiB"]);
const over = overMiB > 0 ? `${overMiB.toFixed(1)} MiB over` : "never over";
console.log(`${searches} searches; ${over} the budget of ${budgetMiB} MiB; ${isFlat ? "flat" : "not flat"}`);
process.exitCode = overMiB > 0 || !isFlat ? 1 : 0;

import { beforeAll, expect, test } from "vitest";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { FetchError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import { openDataset, type Query } from "../index.ts";
import { randomFrom } from "../testing/random.ts";
import { openSample, type Sample } from "../testing/sample.ts";
import { countingSource } from "../testing/sources.ts";

const BOULDER = { lon: -105.27, lat: 40.0165 };
const CLAUSES = [
  ["name:coffee"],
  ["name:pizz"],
  ["name:bo"],
  ["category:restaurant"],
  ["category:pizza_restaurant", "category:cafe"],
  ["taxonomy:eat_and_drink"],
  ["brand:starbucks"],
  ["name:nothing-has-this"],
] as const;

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
});

/** Nothing stays in memory, so that every search has the choice. */
const open = (source: ByteSource, executor: "scan" | "sql" = "scan") =>
  openDataset({ source, decode: decodeParquet, executor, cacheBytes: 1 });

/** A host that has all but the files of terms. */
function withoutTerms(inner: ByteSource): ByteSource {
  return {
    name: inner.name,
    read: (path, options) =>
      path.includes("/_term/")
        ? Promise.reject(new FetchError(`${path} is not here`, { path, status: 404 }))
        : inner.read(path, options),
  };
}

const filesOf = ({ report }: Awaited<ReturnType<ReturnType<typeof open>["search"]>>, folder: string) =>
  report.files.filter(({ path }) => path.includes(folder)).length;

test("a circle's words are answered from terms as from the circle's partitions, and without terms too", async () => {
  const whole = open(sample.source);
  const poor = open(withoutTerms(sample.source));
  const random = randomFrom(97);
  const answered = { rows: 0, counted: 0, partitions: 0 };
  for (let i = 0; i < 80; i++) {
    const terms = [random.of(CLAUSES), random.of(CLAUSES)].slice(0, 1 + random.below(2));
    const query: Query = {
      collections: random.of([["place"], ["place"], ["place", "building"]] as const),
      circle: {
        lon: BOULDER.lon + random.spread(0.02),
        lat: BOULDER.lat + random.spread(0.02),
        radiusMeters: random.magnitude(500, 50_000),
      },
      filters: { terms, ...(random.below(5) === 0 ? { atLeast: { confidence: 0.7 } } : {}) },
      ...(random.below(3) === 0 ? { country: "US" } : {}),
      offset: random.of([0, 0, 5, 40, 100_000]),
      limit: random.of([1, 25, 1000]),
    };
    const [found, expected] = [await whole.search(query), await poor.search(query)];
    const text = JSON.stringify(query);
    expect(found.total, text).toBe(expected.total);
    expect([...found.features()], text).toEqual([...expected.features()]);
    const isPlain = filesOf(found, "/_term/") === 0;
    if (isPlain) answered.partitions++;
    else if (filesOf(found, "/geohash=") === 0) answered.rows++;
    else answered.counted++;
  }
  // each way was taken
  expect(Math.min(...Object.values(answered)), JSON.stringify(answered)).toBeGreaterThanOrEqual(3);
});

test("a rare word in a wide circle costs a few files", async () => {
  const source = countingSource(sample.source);
  const dataset = open(source);
  await dataset.manifest();
  source.reset();
  const circle = { ...BOULDER, radiusMeters: 20_000 };
  const query: Query = { collections: ["place"], circle, filters: { terms: [["name:pizz"]] }, offset: 0, limit: 25 };
  const { total } = await dataset.search(query);
  expect(total).toBeGreaterThan(20);
  const bytes = source.requests.reduce((sum, request) => sum + request.bytes, 0);
  expect(source.requests.length).toBeLessThanOrEqual(6);
  expect(bytes).toBeLessThanOrEqual(500_000);
});

test("an abort in the middle stays an abort", async () => {
  const controller = new AbortController();
  const aborting: ByteSource = {
    name: "aborting",
    read(path, options) {
      if (path.includes("/_term/")) controller.abort();
      return sample.source.read(path, options);
    },
  };
  const circle = { ...BOULDER, radiusMeters: 20_000 };
  const query: Query = { collections: ["place"], circle, filters: { terms: [["name:pizz"]] }, offset: 0, limit: 25 };
  await expect(open(aborting).search(query, { signal: controller.signal })).rejects.toThrow(/abort/i);
});

import { beforeAll, describe, expect, test } from "vitest";
import { compareIds } from "../../../data/format/ids.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { FetchError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { Filters, Query } from "../contract/query.ts";
import { openDataset } from "../dataset.ts";
import { makeDataset } from "../testing/made-up-dataset.ts";
import { distanceTo } from "../testing/oracle.ts";
import { randomFrom } from "../testing/random.ts";
import { countingSource, memorySource } from "../testing/sources.ts";

const random = randomFrom(31);

/** Places of a town on the border of two countries. */
const places = Array.from({ length: 500 }, (_, i) => {
  const lon = random.spread(0.02);
  return {
    id: `${random.below(1000)}-${i}`,
    country: lon < 0 ? "AA" : "BB",
    coordinates: [lon, random.spread(0.02)] as const,
    // many, some, few and one have the word
    words: [
      "cafe",
      ...(i % 5 === 0 ? ["nova"] : []),
      ...(i % 100 === 7 ? ["hafen"] : []),
      ...(i === 123 ? ["unikat"] : []),
    ],
    category: i % 2 === 0 ? "bar" : "pub",
    confidence: (i % 10) / 10,
  };
});
const place = places.map(({ id, country, coordinates, words, category, confidence }) => ({
  id,
  country,
  geometry: { type: "Point", coordinates } as const,
  values: {
    names: `{'primary': '${words.join(" ")}'}`,
    categories: `{'primary': '${category}'}`,
    confidence: String(confidence),
    // partitions are worth another way
    websites: `['https://example.com/' || sha256('${id}') || sha256('x${id}')]`,
  },
}));

type Place = (typeof places)[number];
type Test = (row: Place) => boolean;
const hasWord =
  (word: string): Test =>
  (row) =>
    row.words.some((each) => each.startsWith(word));

const FILTERS: readonly (readonly [string, Filters, Test])[] = [
  ["a word that all have", { terms: [["name:cafe"]] }, () => true],
  ["a prefix that some have", { terms: [["name:no"]] }, hasWord("no")],
  ["a word that few have", { terms: [["name:hafen"]] }, hasWord("hafen")],
  ["a word that one has", { terms: [["name:unikat"]] }, hasWord("unikat")],
  ["a word that nobody has", { terms: [["name:zebra"]] }, () => false],
  [
    "a word and a number",
    { terms: [["name:nova"]], atLeast: { confidence: 0.5 } },
    (row) => hasWord("nova")(row) && row.confidence >= 0.5,
  ],
  [
    "a rare word and a number",
    { terms: [["name:hafen"]], atLeast: { confidence: 0.8 } },
    (row) => hasWord("hafen")(row) && row.confidence >= 0.8,
  ],
  [
    "two words and a category",
    { terms: [["name:nova"], ["name:hafen", "category:bar"]] },
    (row) => hasWord("nova")(row) && (hasWord("hafen")(row) || row.category === "bar"),
  ],
  ["a number alone", { atLeast: { confidence: 0.9 } }, (row) => row.confidence >= 0.9],
  [
    "a box and a word",
    { terms: [["name:nova"]], bbox: [-0.005, -0.005, 0.01, 0.01] },
    (row) =>
      hasWord("nova")(row) &&
      row.coordinates[0] >= -0.005 &&
      row.coordinates[0] <= 0.01 &&
      row.coordinates[1] >= -0.005 &&
      row.coordinates[1] <= 0.01,
  ],
  ["nothing", {}, () => true],
];

/** By a plain loop. */
function expected(isMatch: Test, { circle, country }: Query): { id: string; meters: number }[] {
  const { lon = 0, lat = 0, radiusMeters = 0 } = circle ?? {};
  return places
    .filter((row) => isMatch(row) && (country === undefined || row.country === country))
    .map(({ id, coordinates }) => {
      const meters = distanceTo([lon, lat], { type: "Point", coordinates });
      return { id, meters: Math.round(meters * 1000) / 1000 };
    })
    .filter(({ meters }) => meters <= radiusMeters)
    .sort((a, b) => a.meters - b.meters || compareIds(a.id, b.id));
}

/** Without the files of a path. */
function without(source: ByteSource, path: RegExp): ByteSource {
  return {
    name: "test",
    async read(asked, options) {
      if (path.test(asked)) throw new FetchError(`${asked} is lost`, { path: asked, status: 404 });
      return source.read(asked, options);
    },
  };
}

describe.each([
  ["small groups and slices of one term", { rowsPerPartition: 40, rowsPerGroup: 2, termsPerSlice: 1, nodesPerPage: 5 }],
  ["a few large partitions", { rowsPerPartition: 200, rowsPerGroup: 12 }],
  ["no term run", { rowsPerPartition: 100, withTerms: false }],
])("stored with %s", (_, options) => {
  let files: Map<string, Uint8Array>;
  beforeAll(async () => {
    files = await makeDataset({ place }, options);
  });

  test.each(FILTERS)(
    "%s in a circle finds what a plain loop finds, whichever file is lost",
    async (_, filters, isMatch) => {
      const whole = memorySource(files);
      const sources = [whole, without(whole, /_records\//), without(whole, /\.parquet$/), without(whole, /_term\//)];
      for (const [index, source] of sources.entries()) {
        const dataset = openDataset({ source, decode: decodeParquet });
        for (const [radiusMeters, offset, limit, country] of [
          [300, 0, 25],
          [5000, 0, 25],
          [5000, 40, 7, "BB"],
          [1500, 3, 1000, "AA"],
        ] as const) {
          const circle = { lon: 0.001, lat: 0.002, radiusMeters };
          const query: Query = {
            collections: ["place"],
            circle,
            filters,
            offset,
            limit,
            ...(country ? { country } : {}),
          };
          const rows = expected(isMatch, query);
          const { total, features } = await dataset.search(query);
          const what = `${index} ${JSON.stringify(query)}`;
          expect(total, what).toBe(rows.length);
          const found = [...features(new Set(["ext_distance"]))].map(({ id, properties }) => ({
            id,
            meters: properties.ext_distance,
          }));
          expect(found, what).toEqual(rows.slice(offset, offset + limit));
        }
      }
    },
  );
});

describe("a search with filters reads what costs least", () => {
  let files: Map<string, Uint8Array>;
  beforeAll(async () => {
    files = await makeDataset({ place }, { rowsPerPartition: 40, rowsPerGroup: 12 });
  });

  async function kindsRead(filters: Filters, radiusMeters = 5000, requestBytes = 1024): Promise<string[]> {
    const source = countingSource(memorySource(files));
    const dataset = openDataset({ source: { ...source, requestBytes: () => requestBytes }, decode: decodeParquet });
    const circle = { lon: 0, lat: 0, radiusMeters };
    await dataset.search({ collections: ["place"], circle, filters, offset: 0, limit: 3 });
    const kinds = source.requests.map(
      ({ path }) => /_(\w+)\//.exec(path)?.[1] ?? (path.endsWith(".parquet") ? "location" : ""),
    );
    return [...new Set(kinds.filter((kind) => kind !== "" && kind !== "dictionary"))].sort();
  }

  test("rows of a rare word without a look at where the others are", async () => {
    expect(await kindsRead({ terms: [["name:unikat"]] })).toEqual(["ids", "records", "term"]);
    // the index tells that nobody has it
    expect(await kindsRead({ terms: [["name:zebra"]] })).toEqual([]);
  });

  test("rows of a frequent word by their numbers", async () => {
    expect(await kindsRead({ terms: [["name:nova"]] })).toEqual(["points", "records", "term"]);
  });

  test("all rows of a frequent word, where that takes fewer requests", async () => {
    expect(await kindsRead({ terms: [["name:nova"]] }, 5000, 20_000)).toEqual(["ids", "records", "term"]);
  });

  test("of what lists do not tell the columns of the rows that are left", async () => {
    expect(await kindsRead({ terms: [["name:nova"]], atLeast: { confidence: 0.5 } })).toContain("term");
  });

  test("the columns of all, where there is no list", async () => {
    expect(await kindsRead({ atLeast: { confidence: 0.5 } })).toEqual(["location", "points"]);
  });

  test("the columns of all, where they are few", async () => {
    expect(await kindsRead({ terms: [["name:nova"]] }, 100)).toEqual(["location", "points"]);
  });

  test("of collections that have not the column nothing", async () => {
    const both = await makeDataset({
      place: place.slice(0, 50),
      building: place.slice(0, 50).map(({ id, country, geometry }) => ({ id, country, geometry })),
    });
    const source = countingSource(memorySource(both));
    const circle = { lon: 0, lat: 0, radiusMeters: 5000 };
    const filters = { terms: [["category:bar"]] };
    const query: Query = { collections: ["place", "building"], circle, filters, offset: 0, limit: 3 };
    const { total } = await openDataset({ source, decode: decodeParquet }).search(query);
    expect(total).toBe(
      expected(({ category }) => category === "bar", query).filter(({ id }) =>
        place.slice(0, 50).some((row) => row.id === id),
      ).length,
    );
    expect(source.requests.filter(({ path }) => path.startsWith("building/"))).toEqual([]);
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { FetchError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { Filters, Query, SearchResult } from "../contract/query.ts";
import { type Dataset, openDataset } from "../dataset.ts";
import { createRandomQueries } from "../testing/queries.ts";
import { randomFrom } from "../testing/random.ts";
import { openSampleRows, type SampleRows } from "../testing/sample.ts";
import { type CountingSource, countingSource } from "../testing/sources.ts";

/** Bytes of a request for which a search always counts first if it can, and for which it never does. */
const [ALWAYS, NEVER] = [0, 1e12];

const open = (source: ByteSource, requestBytes: number): Dataset =>
  openDataset({ source: { ...source, requestBytes: () => requestBytes }, decode: decodeParquet });

const isCount = ({ path }: { readonly path: string }): boolean => path.includes("/_count_cell/");

function answerOf({ total, features }: SearchResult) {
  return { total, rows: [...features(new Set(["ext_distance"]))].map(({ id, properties }) => [id, properties]) };
}

/** Filters that the counts know, of values that many rows have. */
const FILTERS: readonly (readonly [CollectionName, readonly Filters[]])[] = [
  [
    "place",
    [
      { terms: [["category:restaurant"]] },
      { terms: [["category:hotel", "category:cafe"]] },
      { atLeast: { confidence: 0.9 } },
      { terms: [["category:no_such_category"]] },
    ],
  ],
  ["building", [{ terms: [["class:house"]] }, { terms: [["subtype:residential"]] }]],
  ["segment", [{ terms: [["class:footway"]] }, { terms: [["subtype:road"]] }]],
  ["infrastructure", [{ terms: [["class:street_lamp"]] }]],
];

describe("a large circle with a filter", () => {
  let sample: SampleRows;
  let source: CountingSource;
  beforeAll(async () => {
    sample = await openSampleRows();
    source = countingSource(sample.source);
  });

  test.each(FILTERS)(
    "%s: counted first, it has the same rows and count as without counts",
    async (collection, filters) => {
      const plain = open(sample.source, NEVER);
      const counting = open(source, ALWAYS);
      const next = createRandomQueries(randomFrom(collection.length), collection, sample.rows);
      let searches = 0;
      for (let i = 0; i < 40; i++) {
        const query: Query = { ...next(), filters: filters[i % filters.length] as Filters };
        if (!query.circle) continue;
        searches++;
        expect(answerOf(await counting.search(query)), JSON.stringify(query)).toEqual(
          answerOf(await plain.search(query)),
        );
      }
      expect(searches).toBeGreaterThan(25);
      expect(source.requests.some(isCount)).toBe(true);
    },
  );

  const query: Query = {
    collections: ["place"],
    circle: { lon: -105.27, lat: 40.01, radiusMeters: 20_000 },
    filters: { terms: [["category:restaurant"]] },
    offset: 0,
    limit: 3,
  };

  test("without the counts reads the points of the circle", async () => {
    const damaged = (path: string) => new FetchError(`${path} is not there`, { path, status: 404 });
    const without: ByteSource = {
      ...sample.source,
      read: async (path, options) => {
        if (isCount({ path })) throw damaged(path);
        return sample.source.read(path, options);
      },
    };
    const expected = answerOf(await open(sample.source, NEVER).search(query));
    expect(expected.total).toBeGreaterThan(100);
    expect(answerOf(await open(without, ALWAYS).search(query))).toEqual(expected);
  });

  test("reads few points if counted, and none for a count alone or behind the last page", async () => {
    const footways: Query = {
      collections: ["segment"],
      circle: { lon: -105.27, lat: 40.01, radiusMeters: 60_000 },
      filters: { terms: [["class:footway"]] },
      offset: 0,
      limit: 3,
    };
    const bytesOf = async (asked: Query): Promise<number> => {
      source.reset();
      await open(source, ALWAYS).search(asked);
      const points = source.requests.filter(({ path }) => path.includes("/_points/"));
      return points.reduce((sum, { bytes }) => sum + bytes, 0);
    };
    const all = await bytesOf({ ...footways, limit: 25_000 });
    expect(all).toBeGreaterThan(500_000);
    expect(await bytesOf(footways)).toBeLessThan(all / 2);
    expect(await bytesOf({ ...footways, limit: 0 })).toBe(0);
    expect(await bytesOf({ ...footways, offset: 100_000 })).toBe(0);
  });

  test("is not counted if a filter tests other values", async () => {
    const counts = async (asked: Partial<Query>): Promise<number> => {
      source.reset();
      await open(source, ALWAYS).search({ ...query, ...asked });
      return source.requests.filter(isCount).length;
    };
    expect(await counts({})).toBeGreaterThan(0);
    expect(await counts({ filters: { terms: [["name:pizza"]] } })).toBe(0);
    expect(await counts({ filters: { ...query.filters, atLeast: { confidence: 0.5 } } })).toBe(0);
  });
});

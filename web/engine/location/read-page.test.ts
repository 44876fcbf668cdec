import { beforeAll, describe, expect, test } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { FetchError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { Query } from "../contract/query.ts";
import { openDataset } from "../dataset.ts";
import { makeDataset } from "../testing/made-up-dataset.ts";
import { randomFrom } from "../testing/random.ts";
import { countingSource, memorySource } from "../testing/sources.ts";

const COLLECTIONS = ["place", "building", "segment"] as const satisfies CollectionName[];

/** Rows that stand on few points, of several countries and collections: most of the order is decided by ids. */
function tiedRows() {
  const random = randomFrom(8);
  return COLLECTIONS.flatMap((collection) =>
    Array.from({ length: 90 }, (_, i) => ({
      collection,
      // some ids are those of rows of another collection
      id: `${random.of(["a", "é", "\uff5e", "\u{1f5fa}"])}${i % 3 === 0 ? `same${i}` : `${collection}${random.below(1000)}-${i}`}`,
      country: random.of(["AA", "BB", "CC"]),
      spot: random.below(4),
    })),
  );
}

const rows = tiedRows();
const circle = { lon: 0, lat: 0, radiusMeters: 1000 };

/** By a plain loop: distance, then id, then the order of the collections. */
function expected(collections: readonly CollectionName[]): string[] {
  return rows
    .filter(({ collection }) => collections.includes(collection))
    .sort(
      (a, b) =>
        a.spot - b.spot ||
        compareIds(a.id, b.id) ||
        collections.indexOf(a.collection) - collections.indexOf(b.collection),
    )
    .map(({ collection, id }) => `${collection} ${id}`);
}

function without(source: ByteSource, path: RegExp): ByteSource {
  return {
    name: "test",
    async read(asked, options) {
      if (path.test(asked)) throw new FetchError(`${asked} is lost`, { path: asked, status: 404 });
      return source.read(asked, options);
    },
  };
}

describe("rows as far as each other, of several countries and collections", () => {
  let source: ByteSource;
  beforeAll(async () => {
    const made = Object.fromEntries(
      COLLECTIONS.map((name) => [
        name,
        rows
          .filter(({ collection }) => collection === name)
          .map(({ id, country, spot }) => ({
            id,
            country,
            geometry: { type: "Point", coordinates: [spot / 1000, 0] } as const,
          })),
      ]),
    );
    source = memorySource(await makeDataset(made, { rowsPerPartition: 25, rowsPerGroup: 4, withTerms: false }));
  });

  async function page(where: ByteSource, query: Query): Promise<string[]> {
    const { total, features } = await openDataset({
      source: where,
      decode: decodeParquet,
    }).search(query);
    expect(total).toBe(expected(query.collections).length);
    return [...features(new Set(["type"]))].map(({ id, properties }) => `${properties.type} ${id}`);
  }

  test.each([
    ["from either", /^$/],
    ["without records", /_records\//],
    ["without the primary copy", /\.parquet$/],
  ] as const)("are in the order of ids, then of collections, page by page, %s", async (_, lost) => {
    const where = without(source, lost);
    for (const collections of [["place", "building", "segment"], ["segment", "place"], ["building"]] as const) {
      const whole = expected(collections);
      for (const limit of [7, 40, 1000]) {
        for (let offset = 0; offset < whole.length; offset += limit * (limit === 7 ? 5 : 1)) {
          const found = await page(where, { collections, circle, offset, limit });
          expect(found, `${collections} ${offset} ${limit}`).toEqual(whole.slice(offset, offset + limit));
        }
      }
    }
  });
});

describe("rows come from the copy that costs less", () => {
  let files: Map<string, Uint8Array>;
  beforeAll(async () => {
    const place = Array.from({ length: 400 }, (_, i) => ({
      id: String((i * 7919) % 4001).padStart(4, "0"),
      country: "AA",
      geometry: { type: "Point", coordinates: [i / 1e5, 0] } as const,
      values: { websites: `['https://example.com/' || sha256('${i}') || sha256('x${i}')]` },
    }));
    files = await makeDataset({ place }, { rowsPerPartition: 200, rowsPerGroup: 10, withTerms: false });
  });

  interface Costs {
    readonly requestBytes?: number;
    readonly decodeBytes?: number;
    /** Whether the primary copy is in memory. */
    readonly isRead?: boolean;
  }

  /** The copies that the rows of a page come from. */
  async function cameFrom(limit: number, { requestBytes = 1024, decodeBytes = 0, isRead = false }: Costs = {}) {
    const source = countingSource(memorySource(files));
    const dataset = openDataset({
      source: { name: source.name, read: source.read, requestBytes: () => requestBytes },
      decode: decodeParquet,
      decodeBytes: () => decodeBytes,
    });
    const query: Query = { collections: ["place"], circle, offset: 0, limit };
    if (isRead) await dataset.search({ ...query, filters: { atLeast: { version: 1 } } });
    source.reset();
    expect((await dataset.search(query)).length).toBe(limit);
    const kinds = source.requests.map(({ path }) => /_records|\.parquet$/.exec(path)?.[0] ?? "");
    return [...new Set(kinds.filter((kind) => kind !== ""))];
  }

  test("from both: many of one partition from its slice, a few of another from the records", async () => {
    // 200 rows are in the first partition, 3 in the second.
    expect((await cameFrom(203)).sort()).toEqual([".parquet", "_records"]);
  });

  test("a few from the records, many from the primary copy", async () => {
    expect(await cameFrom(3)).toEqual(["_records"]);
    expect(await cameFrom(200)).toEqual([".parquet"]);
  });

  test("from the primary copy where it is in memory", async () => {
    expect(await cameFrom(3, { isRead: true })).toEqual([]);
  });

  test("from the records, which are one range, where requests cost much", async () => {
    expect(await cameFrom(3, { requestBytes: 1_000_000 })).toEqual(["_records"]);
    expect(await cameFrom(200, { requestBytes: 1_000_000 })).toEqual([".parquet"]);
  });

  test("from the records where the Parquet reader is not loaded", async () => {
    expect(await cameFrom(200, { decodeBytes: 1_100_000 })).toEqual(["_records"]);
  });
});

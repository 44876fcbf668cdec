import { beforeAll, describe, expect, test } from "vitest";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { numberInSegment } from "../../../data/format/id-order.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { findSegments } from "../store/numbered-rows.ts";
import type { Session } from "../store/session.ts";
import { type MadeUpOptions, type MadeUpRow, makeDataset } from "../testing/made-up-dataset.ts";
import { type Random, randomFrom } from "../testing/random.ts";
import { createSessions } from "../testing/session.ts";
import { type CountingSource, countingSource, memorySource } from "../testing/sources.ts";
import { pageOfLists } from "./page-of-lists.ts";
import type { RowList } from "./row-list.ts";

const COLLECTIONS = ["place", "building", "segment"] as const satisfies CollectionName[];
const COUNTRIES = ["AA", "BB", "ZZ"];

/** Rows whose ids interleave over countries and collections; some ids are in several collections. */
function randomRows(random: Random, count: number): Record<(typeof COLLECTIONS)[number], MadeUpRow[]> {
  const rows = { place: [] as MadeUpRow[], building: [] as MadeUpRow[], segment: [] as MadeUpRow[] };
  for (let i = 0; i < count; i++) {
    const id = `${random.of(["", "a", "é", "\uff5e", "\u{1f5fa}"])}${random.below(500)}-${i}`;
    const geometry = { type: "Point", coordinates: [random.spread(10), random.spread(10)] } as const;
    // some countries have their own range of ids, so that segments do not overlap
    const country = id.startsWith("a") ? "BB" : random.of(COUNTRIES);
    for (const name of COLLECTIONS) if (random.below(3) > 0) rows[name].push({ id, geometry, country });
  }
  return rows;
}

interface Known {
  readonly collection: CollectionName;
  readonly country: string;
  readonly id: string;
  readonly number: number;
}

/** Every row with its number, from the index. */
async function numbersOf(session: Session, rows: ReturnType<typeof randomRows>): Promise<Known[]> {
  const known: Known[] = [];
  for (const collection of COLLECTIONS) {
    const ordinals = new Set(Array.from({ length: 1000 }, (_, ordinal) => ordinal));
    for (const ref of await findSegments(session, collection, ordinals)) {
      const { country, segment } = ref.node;
      const own = rows[collection].filter((row) => row.country === country).sort((a, b) => compareIds(a.id, b.id));
      for (const [index, { id }] of own.slice(ref.node.start, ref.node.start + ref.node.rows).entries()) {
        known.push({ collection, country, id, number: numberInSegment(segment, index) });
      }
    }
  }
  return known;
}

/** Lists of some or all rows, for some countries and collections. */
function randomLists(random: Random, known: readonly Known[]): { lists: RowList[]; rows: Known[] } {
  const lists: RowList[] = [];
  const rows: Known[] = [];
  for (const collection of COLLECTIONS) {
    for (const country of COUNTRIES) {
      if (random.below(3) === 0) continue;
      const all = known.filter((row) => row.collection === collection && row.country === country);
      const isAll = random.below(3) === 0;
      const share = random.of([0, 0.02, 0.3, 1]);
      const own = isAll ? all : all.filter(() => random.between(0, 1) < share);
      const numbers = Float64Array.from(own.map(({ number }) => number)).sort();
      lists.push({ collection, country, total: own.length, ...(isAll ? {} : { numbers }) });
      rows.push(...own);
    }
  }
  return { lists, rows };
}

const SIZES: readonly (readonly [string, MadeUpOptions])[] = [
  ["a group for each row", { rowsPerGroup: 1, rowsPerSegment: 30 }],
  ["groups of three, index pages of two", { rowsPerGroup: 3, rowsPerSegment: 10, nodesPerPage: 2 }],
  ["one group of 128 rows per segment", { rowsPerGroup: 128, rowsPerSegment: 128 }],
];

describe.each(SIZES)("with %s", (_, options) => {
  let source: CountingSource;
  let known: Known[];
  let open: () => Session;

  beforeAll(async () => {
    const random = randomFrom(11);
    const rows = randomRows(random, 200);
    source = countingSource(
      memorySource(await makeDataset(rows, { ...options, rowsPerPartition: 1000, withTerms: false })),
    );
    open = await createSessions(source);
    known = await numbersOf(open(), rows);
    expect(known.length).toBe(rows.place.length + rows.building.length + rows.segment.length);
  });

  test("every page of random lists is a slice of all rows in order", async () => {
    const random = randomFrom(options.rowsPerGroup ?? 0);
    let pages = 0;
    for (let round = 0; round < 14; round++) {
      const { lists, rows } = randomLists(random, known);
      const order = [...new Set(lists.filter(({ total }) => total > 0).map(({ collection }) => collection))];
      const whole = rows.toSorted(
        (a, b) => compareIds(a.id, b.id) || order.indexOf(a.collection) - order.indexOf(b.collection),
      );
      const limit = random.of([1, 7, 25, 1000]);
      const most = Math.min(whole.length + limit, 12 * limit);
      for (let offset = random.of([0, Math.max(0, whole.length - most)]); offset <= most; offset += limit) {
        const page = await pageOfLists(open(), lists, { offset, limit });
        expect(
          page.map(({ rows: { collection, country, id }, row }) => [collection, country, id(row)]),
          `${round}: ${offset}, ${limit}`,
        ).toEqual(whole.slice(offset, offset + limit).map(({ collection, country, id }) => [collection, country, id]));
        pages++;
      }
    }
    expect(pages).toBeGreaterThan(50);
  });

  test("no lists, empty lists, and pages past the end or without rows read nothing", async () => {
    const all: RowList = { collection: "place", country: "AA", total: 40 };
    const none: RowList = { collection: "place", country: "BB", total: 0, numbers: new Float64Array() };
    source.reset();
    const session = open();
    for (const [lists, offset, limit] of [
      [[], 0, 10],
      [[none], 0, 10],
      [[none, all], 40, 10],
      [[all], 0, 0],
    ] as const) {
      expect(await pageOfLists(session, lists, { offset, limit })).toEqual([]);
    }
    expect(source.requests).toEqual([]);
  });
});

describe("of a country of 3,000 rows in groups of ten", () => {
  const rows = Array.from({ length: 3000 }, (_, i) => ({
    id: String(i).padStart(5, "0"),
    country: "AA",
    geometry: { type: "Point", coordinates: [0, 0] } as const,
  }));
  let source: CountingSource;
  beforeAll(async () => {
    const options = { rowsPerGroup: 10, rowsPerSegment: 500, rowsPerPartition: 3000, withTerms: false };
    source = countingSource(memorySource(await makeDataset({ place: rows }, options)));
  });

  test.each([
    // a range of ids, one of records and the dictionary; at the end of a segment two ranges of ids
    [0, 3, 3, 1],
    [7, 3, 4, 1],
    [499, 4, 4, 2],
    [1234, 3, 3, 2],
    [2990, 3, 1, 1],
  ])("a page from row %i is %i requests for its own %i groups", async (offset, requests, groups, idBlocks) => {
    const session = (await createSessions(source))();
    source.reset();
    const list: RowList = { collection: "place", country: "AA", total: 3000 };
    const page = await pageOfLists(session, [list], { offset, limit: 25 });
    expect(page.map(({ rows: { id }, row }) => id(row))).toEqual(rows.slice(offset, offset + 25).map(({ id }) => id));
    expect([source.requests.length, source.roundTrips]).toEqual([requests, 2]);
    expect([blocksRead(source, "records"), blocksRead(source, "ids")]).toEqual([groups, idBlocks]);
  });

  test("scattered rows of a list are read without a directory, in two round trips", async () => {
    const list: RowList = { collection: "place", country: "AA", total: 3000 };
    // The gaps of 11 blocks cost more than a request.
    const numbers = Float64Array.from({ length: 5 }, (_, i) => numberInSegment(0, 120 * i + 5));
    const few = (await createSessions(source))();
    source.reset();
    const page = await pageOfLists(few, [{ ...list, numbers, total: 5 }], { offset: 0, limit: 25 });
    expect(page.map(({ rows: { id }, row }) => id(row))).toEqual(["00005", "00125", "00245", "00365", "00485"]);
    expect([source.requests.length, source.roundTrips]).toEqual([7, 2]);
    expect([blocksRead(source, "records"), blocksRead(source, "ids")]).toEqual([5, 2]);
  });

  test("blocks that were read are not read again", async () => {
    const open = await createSessions(source);
    const list: RowList = { collection: "place", country: "AA", total: 3000 };
    await pageOfLists(open(), [list], { offset: 0, limit: 25 });
    source.reset();
    await pageOfLists(open(), [list], { offset: 0, limit: 25 });
    expect(source.requests).toEqual([]);
  });
});

function blocksRead({ requests }: CountingSource, run: "records" | "ids"): number {
  const own = requests.filter(({ path }) => path.includes(`/_${run}/`));
  // The last block of records is shorter. A directory of ids is no block.
  const round = run === "records" ? Math.ceil : Math.floor;
  return own.reduce((sum, { bytes }) => sum + round(bytes / BLOCK_BYTES), 0);
}

describe("of three countries, two of 2,500 rows and one of 8, with ids in turns", () => {
  const countryOf = (i: number) => (i % 625 === 3 ? "CC" : i % 2 === 0 ? "AA" : "BB");
  const rows = Array.from({ length: 5000 }, (_, i) => ({
    id: String(i).padStart(6, "0"),
    country: countryOf(i),
    geometry: { type: "Point", coordinates: [0, 0] } as const,
  }));
  const lists: RowList[] = ["AA", "BB", "CC"].map((country) => ({
    collection: "place",
    country,
    total: rows.filter((row) => row.country === country).length,
  }));
  let source: CountingSource;
  beforeAll(async () => {
    const options = { rowsPerGroup: 10, rowsPerPartition: 5000, withTerms: false };
    source = countingSource(memorySource(await makeDataset({ place: rows }, options)));
  });

  async function page(offset: number, limit: number, asked = lists) {
    const session = (await createSessions(source))();
    source.reset();
    const found = await pageOfLists(session, asked, { offset, limit });
    return found.map(({ rows: { id }, row }) => id(row));
  }

  test.each([0, 620, 1870, 2496, 4990])("a page from row %i is right, and reads few records", async (offset) => {
    expect(await page(offset, 25)).toEqual(rows.slice(offset, offset + 25).map(({ id }) => id));
    // Directories, ids, and records: perhaps first those of the small country, whose ids are known to three bytes.
    expect(source.roundTrips).toBeLessThanOrEqual(4);
    expect(blocksRead(source, "records")).toBeLessThanOrEqual(14);
    expect(blocksRead(source, "ids")).toBeLessThanOrEqual(8);
  });

  test("two countries whose ids differ in the bytes known take three round trips", async () => {
    const two = lists.slice(0, 2);
    const ids = rows.filter(({ country }) => country !== "CC").map(({ id }) => id);
    expect(await page(1200, 25, two)).toEqual(ids.slice(1200, 1225));
    expect(source.roundTrips).toBe(3);
    expect(blocksRead(source, "records")).toBeLessThanOrEqual(8);
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import { FetchError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import { findPartitions, type PartitionRef } from "../index-tree/tree.ts";
import { makeDataset } from "../testing/made-up-dataset.ts";
import { randomFrom } from "../testing/random.ts";
import { createSessions } from "../testing/session.ts";
import { type CountingSource, countingSource, memorySource } from "../testing/sources.ts";
import { prefetchPages, readAddressed, readPartitionPoints, recordCost } from "./addressed-rows.ts";
import { readNumbered } from "./numbered-rows.ts";
import type { Session } from "./session.ts";

/** Every tenth row has an outline of several blocks. */
const hasOutline = (i: number) => i % 10 === 7;
const random = randomFrom(3);
const outline = (i: number): readonly [number, number][] => {
  const points = Array.from({ length: 900 }, (): [number, number] => [i + random.spread(0.3), random.spread(0.3)]);
  return [...points, points[0] ?? [0, 0]];
};
const rows = Array.from({ length: 60 }, (_, i) => ({
  // ids in another order than places
  id: String((i * 37) % 60).padStart(3, "0"),
  country: i % 2 === 0 ? "AA" : "BB",
  geometry: hasOutline(i)
    ? ({ type: "Polygon", coordinates: [outline(i)] } as const)
    : ({ type: "Point", coordinates: [i, 0] } as const),
}));

let files: Map<string, Uint8Array>;
let source: CountingSource;
beforeAll(async () => {
  const options = { rowsPerPartition: 10, rowsPerGroup: 1, slicesPerChunk: 1, nodesPerPage: 2, keepOrder: true };
  files = await makeDataset({ division_area: rows }, { ...options, withTerms: false });
  source = countingSource(memorySource(files));
});

function partitions(session: Session): Promise<PartitionRef<"location">[]> {
  return findPartitions(session, { collection: "division_area", run: "location" }, () => true);
}

async function open(of: ByteSource = source): Promise<Session> {
  const session = (await createSessions(of))();
  source.reset();
  return session;
}

describe("records of the rows of a slice", () => {
  test("are the rows that the points name, one range for each slice and any number of blocks", async () => {
    const session = await open();
    const found: string[] = [];
    for (const ref of await partitions(session)) {
      const { record, rows: count } = await readPartitionPoints(session, ref);
      await prefetchPages(session, [ref]);
      source.reset();
      const records = Array.from({ length: count }, (_, row) => record(row));
      const read = await readAddressed(session, "division_area", records);
      found.push(...read.map(({ rows: own, row }) => `${own.country} ${own.id(row)}`));
      const ranges = source.requests.filter(({ path }) => path.includes("/_records/"));
      expect(ranges.length).toBe(1);
      const blocks = records.reduce((sum, each) => sum + each.blocks, 0);
      expect(Math.ceil((ranges[0]?.bytes ?? 0) / BLOCK_BYTES)).toBe(blocks);
      expect(source.roundTrips).toBe(1);
    }
    const byCountry = ["AA", "BB"].flatMap((code) => rows.filter(({ country }) => country === code));
    expect(found).toEqual(byCountry.map(({ id, country }) => `${country} ${id}`));
  });

  test("cost their blocks and a request for each range, and nothing when they are in memory", async () => {
    const session = await open();
    const [ref] = await partitions(session);
    if (!ref) throw new Error("no partition");
    const { record, rows: count } = await readPartitionPoints(session, ref);
    const records = Array.from({ length: count }, (_, row) => record(row));
    const blocks = records.reduce((sum, each) => sum + each.blocks, 0);
    const { requestBytes } = session.costs();
    expect(recordCost(session, "division_area", records)).toBe(blocks * BLOCK_BYTES + requestBytes);
    await readAddressed(session, "division_area", records);
    expect(recordCost(session, "division_area", records)).toBe(0);
  });

  test("without known blocks take one more round trip for the rest of long groups", async () => {
    const session = await open();
    const refs = await partitions(session);
    const points = await Promise.all(refs.map((ref) => readPartitionPoints(session, ref)));
    await prefetchPages(session, refs);
    const long = points.flatMap(({ record, rows: count }) =>
      Array.from({ length: count }, (_, row) => record(row)).filter(({ blocks }) => blocks > 1),
    );
    expect(long.length).toBe(6);
    source.reset();
    const read = await readAddressed(
      session,
      "division_area",
      long.slice(0, 1).map(({ address }) => ({ address })),
    );
    expect(read.length).toBe(1);
    expect(source.roundTrips).toBe(2);
  });
});

test("a record with another geometry than its point is an error", async () => {
  const session = await open();
  const [ref] = await partitions(session);
  if (!ref) throw new Error("no partition");
  const { record } = await readPartitionPoints(session, ref);
  const wrong = [{ ...record(0), geometry: record(1).geometry }];
  await expect(readAddressed(session, "division_area", wrong)).rejects.toThrow(/has another geometry than the points/);
});

test("rows by number equal the rows by id, and known addresses need no ids", async () => {
  const session = await open();
  const numbers: number[] = [];
  const known = new Map<number, number>();
  for (const ref of await partitions(session)) {
    const { number, record, rows: count } = await readPartitionPoints(session, ref);
    for (let row = 0; row < count; row++) {
      numbers.push(number(row));
      known.set(number(row), record(row).address);
    }
  }
  numbers.sort((a, b) => a - b);
  const inOrder = rows.toSorted((a, b) => `${a.country} ${a.id}`.localeCompare(`${b.country} ${b.id}`));
  const ids = async (addresses?: ReadonlyMap<number, number>) => {
    const read = await readNumbered(await open(), "division_area", numbers, addresses);
    return read.map(({ rows: own, row }) => `${own.country} ${own.id(row)}`);
  };
  expect(await ids()).toEqual(inOrder.map(({ id, country }) => `${country} ${id}`));
  expect(source.requests.some(({ path }) => path.includes("/_ids/"))).toBe(true);
  expect(await ids(known)).toEqual(inOrder.map(({ id, country }) => `${country} ${id}`));
  expect(source.requests.some(({ path }) => path.includes("/_ids/"))).toBe(false);
});

test.each([
  ["a number", (session: Session) => readNumbered(session, "division_area", [200])],
  ["a segment", (session: Session) => readNumbered(session, "division_area", [99 * 65_536])],
  ["a place in a group", (session: Session) => readAddressed(session, "division_area", [{ address: 1 }])],
  ["a chunk", (session: Session) => readAddressed(session, "division_area", [{ address: 99 * 4096 * 128 }])],
])("%s that does not exist is an error", async (_, read) => {
  await expect(read(await open())).rejects.toThrow(/division_area have no row/);
});

test("pages that cannot be read ahead are no error", async () => {
  const refs = await partitions(await open());
  const lost: ByteSource = {
    name: "test",
    async read(path, options) {
      if (path.includes("/_pages/")) throw new FetchError("lost", { path, status: 404 });
      return source.read(path, options);
    },
  };
  await expect(prefetchPages(await open(lost), refs)).resolves.toBeUndefined();
});

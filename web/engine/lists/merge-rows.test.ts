import { beforeAll, expect, test } from "vitest";
import { compareIds } from "../../../data/format/ids.ts";
import { toUtf8 } from "../../../data/format/utf8.ts";
import { findPartitions } from "../index-tree/tree.ts";
import { readPartitionPoints } from "../store/addressed-rows.ts";
import type { Session } from "../store/session.ts";
import { makeDataset } from "../testing/made-up-dataset.ts";
import { type Random, randomFrom } from "../testing/random.ts";
import { createSessions } from "../testing/session.ts";
import { type CountingSource, countingSource, memorySource } from "../testing/sources.ts";
import { type KeyedRow, readMerged } from "./merge-rows.ts";

const COLLECTIONS = ["place", "building"] as const;

/** Ids that often have equal first bytes, some of which are the first bytes of others. */
function randomIds(random: Random): string[] {
  const ids = new Set<string>();
  while (ids.size < 60) {
    let id = "";
    const length = 1 + random.below(6);
    while (id.length < length) id += random.of(["a", "b", "é", "\u0001"]);
    ids.add(id);
  }
  return [...ids];
}

const random = randomFrom(29);
const ids = { place: randomIds(random), building: randomIds(random) };
let source: CountingSource;
let open: () => Session;
/** Address of each row by collection and id. */
const addresses = new Map<string, number>();

beforeAll(async () => {
  const rowOf = (id: string, i: number) => ({
    id,
    country: "AA",
    geometry: { type: "Point", coordinates: [i / 100, 0] } as const,
  });
  const made = { place: ids.place.map(rowOf), building: ids.building.map(rowOf) };
  source = countingSource(memorySource(await makeDataset(made, { rowsPerGroup: 4, withTerms: false })));
  open = await createSessions(source);
  const session = open();
  for (const collection of COLLECTIONS) {
    for (const ref of await findPartitions(session, { collection, run: "location" }, () => true)) {
      const { record, boxes, rows } = await readPartitionPoints(session, ref);
      for (let row = 0; row < rows; row++) {
        const id = ids[collection][Math.round((boxes[4 * row] ?? 0) * 100)] ?? "";
        addresses.set(`${collection} ${id}`, record(row).address);
      }
    }
  }
});

/** Rows of the collection with keys of this many bytes, in the order of ids. */
function keyed(
  collection: (typeof COLLECTIONS)[number],
  bytes: number | "any",
): (KeyedRow & { readonly id: string })[] {
  return ids[collection].toSorted(compareIds).map((id) => {
    const keyBytes = bytes === "any" ? random.below(8) : bytes;
    const key = new Uint8Array(keyBytes);
    key.set(toUtf8(id).subarray(0, keyBytes));
    const address = addresses.get(`${collection} ${id}`) ?? 0;
    return { list: COLLECTIONS.indexOf(collection), collection, key, address, id };
  });
}

test.each([
  [0, 0],
  [1, 1],
  [3, 3],
  [1, 5],
  [4, 0],
  [9, 2],
  ["any", "any"],
  ["any", 0],
] as const)("any page of two lists with keys of %s and %s bytes is that of their ids", async (first, second) => {
  const rows = [...keyed("place", first), ...keyed("building", second)];
  const whole = rows.toSorted((a, b) => compareIds(a.id, b.id) || a.list - b.list);
  for (const limit of [1, 7, 25, 200]) {
    for (let start = 0; start < whole.length; start += limit) {
      const page = await readMerged((await createSessions(source))(), rows, { start, end: start + limit });
      expect(
        page.map(({ rows: own, row }) => `${own.collection} ${own.id(row)}`),
        `${start} ${limit}`,
      ).toEqual(whole.slice(start, start + limit).map(({ collection, id }) => `${collection} ${id}`));
    }
  }
});

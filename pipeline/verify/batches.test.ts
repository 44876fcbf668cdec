import { expect, test } from "vitest";
import type { PartitionNode } from "../../data/format/manifest.ts";
import { batchCountries, batchFiles } from "./batches.ts";

function indexOf(rows: Readonly<Record<string, number>>) {
  const partitions = Object.entries(rows).map(([country, count]) => {
    return { path: `${country}.parquet`, node: { country, rows: count } as unknown as PartitionNode };
  });
  return { partitions };
}

test("countries stand together up to the rows, and a larger one is alone", () => {
  const id = indexOf({ AA: 40, BB: 60, CC: 1, DD: 500, EE: 100, FF: 1 });
  const batches = batchCountries(new Map([["id", id]]), 100);
  expect(batches.map((batch) => [...batch])).toEqual([["AA", "BB"], ["CC"], ["DD"], ["EE"], ["FF"]]);
});

test("a country of another run has a batch too, and no run counts twice", () => {
  const runs = new Map([
    ["location", indexOf({ AA: 50, BB: 50 })],
    ["id", indexOf({ AA: 50, BB: 50 })],
    ["term", indexOf({ AA: 900, ZZ: 9 })],
  ] as const);
  expect(batchCountries(runs, 100).map((batch) => [...batch])).toEqual([["AA", "BB", "ZZ"]]);
});

test("a collection without partitions has none", () => {
  expect(batchCountries(new Map([["id", indexOf({})]]))).toEqual([]);
});

test("files come in order, as many at a time as are told", () => {
  expect(batchFiles([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(batchFiles([])).toEqual([]);
});

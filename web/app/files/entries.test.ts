import { expect, test } from "vitest";
import { randomFrom } from "../../engine/testing/random.ts";
import type { JoinedRow } from "../../hosts/browser/protocol/index.ts";
import { boundsOf, linesOf } from "./entries.ts";

const random = randomFrom(29);

const distances = (count: number) => Array.from({ length: count }, () => random.below(12)).sort((a, b) => a - b);

const entriesOf = (meters: readonly (number | undefined)[], rows: readonly JoinedRow[]) => {
  const { count, entryAt, lineOf } = linesOf({ count: meters.length, metersAt: (index) => meters[index] }, rows);
  const lines = Array.from({ length: count + 1 }, (_, line) => entryAt(line));
  expect(lines.pop()).toBeUndefined();
  return lines.map((entry, line) => {
    if (!entry) throw new Error(`line ${line} of ${count} has nothing`);
    if (entry.kind === "record") expect(lineOf(entry.index)).toBe(line);
    return entry;
  });
};

/** The rows between two distances, as from the worker. */
const between = (rows: readonly JoinedRow[], { from = 0, below = Infinity }: { from?: number; below?: number }) =>
  rows.filter(({ distanceMeters = 0 }) => distanceMeters >= from && distanceMeters < below);

const rowsAt = (meters: readonly (number | undefined)[]): JoinedRow[] =>
  meters.map((distanceMeters, row) => ({
    file: "1",
    row,
    title: undefined,
    ...(distanceMeters === undefined ? {} : { distanceMeters }),
  }));

test("all pages together are the whole list: every row once, after all records at the same distance", () => {
  for (let turn = 0; turn < 500; turn++) {
    const records = distances(random.below(20));
    const rows = rowsAt(distances(random.below(8)));
    const limit = 1 + random.below(6);
    const pages = Math.max(1, Math.ceil(records.length / limit));
    const listed = Array.from({ length: pages }, (_, page) => {
      const here = records.slice(page * limit, (page + 1) * limit);
      const isLast = (page + 1) * limit >= records.length;
      const previous = page > 0 ? records[page * limit - 1] : undefined;
      const bounds = boundsOf({ page, last: here.at(-1), isLast, previous });
      return entriesOf(here, between(rows, bounds)).map((entry) =>
        entry.kind === "row" ? `row ${entry.row.row}` : `record ${page * limit + entry.index}`,
      );
    }).flat();
    const all = [
      ...records.map((meters, index) => ({ meters, kind: 0, index, text: `record ${index}` })),
      ...rows.map(({ distanceMeters = 0, row }) => ({
        meters: distanceMeters,
        kind: 1,
        index: row,
        text: `row ${row}`,
      })),
    ];
    all.sort((a, b) => a.meters - b.meters || a.kind - b.kind || a.index - b.index);
    expect(listed).toEqual(all.map(({ text }) => text));
  }
});

test("without distances rows precede the records of the first page, and are on no other", () => {
  const rows = rowsAt([undefined, undefined]);
  const pageOf = (page: number) => {
    const here = [undefined, undefined];
    const bounds = boundsOf({ page, last: here.at(-1), isLast: page === 1, previous: undefined });
    return entriesOf(here, between(rows, bounds)).map(({ kind }) => kind);
  };
  expect(pageOf(0)).toEqual(["row", "row", "record", "record"]);
  expect(pageOf(1)).toEqual(["record", "record"]);
});

import { expect, test } from "vitest";
import type { Table, TableValue } from "../../../data/format/tables.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import type { Change } from "../../testing/small-dataset/index.ts";
import { expectFaults, type Mutation, only } from "./testing.ts";

const newFolder = temporaryFolders();

const table = (run: string, changeTo: (table: Table) => Table, index = 0): Change => ({
  table: (value, at) => only({ ...at }, { run, index }, value, changeTo),
});

/** Changes the first value of a column. */
const value = (run: string, column: string, changeTo: (value: TableValue) => TableValue, index = 0): Change =>
  table(
    run,
    (own) => ({ ...own, [column]: (own[column] ?? []).map((each, row) => (row === 0 ? changeTo(each) : each)) }),
    index,
  );

const node = (run: string, changeTo: object): Change => ({
  node: (own, at) => only({ ...at }, { run, index: 0 }, own, (each) => ({ ...each, ...changeTo })),
});

const without =
  (column: string) =>
  (own: Table): Table =>
    Object.fromEntries(Object.entries(own).filter(([name]) => name !== column));
const ofSlice = (collection: string, run: string, text: string) =>
  new RegExp(`^${collection}/_${run}/\\w+\\.pack, slice at \\d+: ${text}`);

const OF_PLACES: readonly Mutation[] = [
  [
    "an address that is another row's",
    value("find", "address", (address) => Number(address) + 1),
    /^place: find run: 1 ids are not in it, such as (jp|mc)-\d+$/,
    /^place: find run: 1 rows are no id's, such as [0-9a-f]{8} with address \d+$/,
  ],
  [
    "a key that is another",
    value("find", "gap", (gap) => Number(gap) - 1),
    /^place: find run: \d+ ids are not in it/,
    /^place: find run: \d+ rows are no id's/,
    ofSlice("place", "find", "first_term expected"),
    ofSlice("place", "find", "last_term expected"),
  ],
  [
    "a value that is not a number",
    value("find", "address", () => "1"),
    ofSlice("place", "find", 'cannot be read: "1" is not an integer'),
  ],
  [
    "fewer rows than in the node",
    table("find", (own) => ({ gap: own.gap?.slice(1) ?? [], address: own.address?.slice(1) ?? [] })),
    ofSlice("place", "find", "cannot be read: a table has 19 rows in column gap, expected 20 rows"),
  ],
  [
    "a run of another country",
    node("find", { country: "MC" }),
    ofSlice("place", "find", "is under MC, expected \\*"),
    ofSlice("place", "find", "does not come after the node before it"),
  ],
  ["a node with another start", node("find", { start: 20 }), ofSlice("place", "find", "start expected 0, got 20")],
  [
    "a node with another first term",
    node("find", { first_term: "00000000" }),
    ofSlice("place", "find", "first_term expected"),
  ],
  [
    "a node with another box",
    node("find", { bbox: [0, 0, 1, 1] }),
    ofSlice("place", "find", "bbox expected \\[-180,-90,180,90\\]"),
  ],
  [
    "a count that is one more",
    value("count_category", "rows", (rows) => Number(rows) + 1),
    /^place: count_category run: 1 rows are wrong, missing or too many, the first of \*, row 0 \(000000000\)$/,
  ],
  [
    "another count of brands",
    value("count_category", "brands", () => 9),
    /^place: count_category run: 1 rows are wrong/,
  ],
  [
    "a category that is another",
    value("count_category", "value", () => "zoo"),
    /^place: count_category run: 1 rows are wrong/,
  ],
  [
    "brands of a country miscounted",
    value("count_brand", "rows", (rows) => Number(rows) + 1, 2),
    /^place: count_brand run: 1 rows are wrong, missing or too many, the first of [A-Z]{2}, row 0/,
  ],
  [
    "a brand with other names",
    value("count_brand", "value", () => ({ wikidata: "Q1" })),
    /^place: count_brand run: 1 rows are wrong/,
  ],
  [
    "a country that is another",
    value("count_country", "value", () => "FR"),
    /^place: count_country run: 1 rows are wrong/,
  ],
  [
    "counts in another order",
    table("count_country", (own) =>
      Object.fromEntries(Object.entries(own).map(([name, values]) => [name, values.toReversed()])),
    ),
    /^place: count_country run: 2 rows are wrong/,
  ],
  [
    "a column that is missing",
    table("count_country", without("brands")),
    ofSlice("place", "count_country", "cannot be read: a table has none in column brands"),
  ],
  [
    "a column too many",
    table("count_country", (own) => ({ ...own, extra: own.value ?? [] })),
    ofSlice(
      "place",
      "count_country",
      "cannot be read: columns value, rows, brands, extra, expected value, rows, brands",
    ),
  ],
];

const OF_DIVISIONS: readonly Mutation[] = [
  [
    "another population",
    value("suggest", "population", (population) => Number(population) + 1),
    /^division: suggest run: 1 rows are wrong, missing or too many, the first of \*, row 0 \(name:0\)$/,
  ],
  ["another point", value("suggest", "point", () => [0, 0]), /^division: suggest run: 1 rows are wrong/],
  ["another detail", value("suggest", "detail", () => "x"), /^division: suggest run: 1 rows are wrong/],
  ["a name that has not the word", value("suggest", "found", () => ["x"]), /^division: suggest run: 1 rows are wrong/],
  [
    "another box, with its node",
    value("suggest", "bbox", () => [0, 0, 1, 1]),
    /^division: suggest run: 1 rows are wrong/,
    ofSlice("division", "suggest", "bbox expected"),
  ],
  [
    "rows out of order",
    table("suggest", (own) =>
      Object.fromEntries(
        Object.entries(own).map(([name, [first, second, ...others]]) => [
          name,
          [second ?? null, first ?? null, ...others],
        ]),
      ),
    ),
    ofSlice("division", "suggest", "row 1 does not come after the one before"),
    /^division: suggest run: 2 rows are wrong/,
  ],
  [
    "a division under a term that it does not have",
    value("suggest", "id", () => "jp-d04"),
    /^division: suggest run: 1 rows are wrong/,
  ],
  [
    "a node with another start",
    node("suggest", { start: 1 }),
    ofSlice("division", "suggest", "start expected 0, got 1"),
  ],
];

test.each(OF_PLACES.map((mutation) => [mutation[0], mutation] as const))("of places: %s", async (_, mutation) => {
  await expectFaults(await newFolder(), ["place"], mutation);
});

test.each(OF_DIVISIONS.map((mutation) => [mutation[0], mutation] as const))("of divisions: %s", async (_, mutation) => {
  await expectFaults(await newFolder(), ["division", "division_area"], mutation);
});

test("a case changes every table", () => {
  const runs = ["find", "count_brand", "count_category", "count_country", "suggest"];
  const patterns = [...OF_PLACES, ...OF_DIVISIONS].flatMap(([, , ...faults]) => faults.map(String));
  for (const run of runs) expect(patterns.some((pattern) => pattern.includes(`${run} run`))).toBe(true);
});

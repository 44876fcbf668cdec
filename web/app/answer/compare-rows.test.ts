import { expect, test } from "vitest";
import type { Feature } from "../../engine/index.ts";
import { compareRows } from "./compare-rows.ts";

const row = (id: string, metres?: number, type = "place"): Feature => ({
  id,
  type: "Feature",
  geometry: { type: "Point", coordinates: [0, 0] },
  properties: { type, ...(metres === undefined ? {} : { ext_distance: metres }) },
});
const rows = [row("a", 1.001), row("b", 2)];

test("the same rows in the same order are the same, with distances to 1 mm", () => {
  const near = [row("a", 1.002), row("b", 2)];
  expect(compareRows({ total: 9, records: rows }, { total: 9, records: near }, 1)).toEqual({
    kind: "same",
    rows: 2,
    total: 9,
  });
});

test.each([
  ["the count", { total: 8, records: rows }, { kind: "count", totals: { engine: 9, duckdb: 8 } }],
  ["the order", { total: 9, records: rows.toReversed() }, { kind: "row", rank: 26, ids: { engine: "a", duckdb: "b" } }],
  [
    "a missing row",
    { total: 9, records: rows.slice(0, 1) },
    { kind: "row", rank: 27, ids: { engine: "b", duckdb: undefined } },
  ],
  [
    "the type",
    { total: 9, records: [row("a", 1.001, "address"), row("b", 2)] },
    { kind: "row", rank: 26, ids: { engine: "a", duckdb: "a" } },
  ],
  [
    "a distance",
    { total: 9, records: [row("a", 1.001), row("b", 2.003)] },
    { kind: "distance", rank: 27, metres: { engine: 2, duckdb: 2.003 } },
  ],
  [
    "no distance",
    { total: 9, records: [row("a", Number.NaN), row("b", 2)] },
    { kind: "distance", rank: 26, metres: { engine: 1.001, duckdb: Number.NaN } },
  ],
])("a difference in %s is found", (_, duckdb, expected) => {
  expect(compareRows({ total: 9, records: rows }, duckdb, 26)).toEqual(expected);
});

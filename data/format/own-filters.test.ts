import { expect, test } from "vitest";
import { ownFilters } from "./own-filters.ts";
import type { OwnColumn } from "./own-schema.ts";

const namesOf = (...columns: readonly OwnColumn[]) =>
  ownFilters({ columns }, (name) => name === "limit" || name.startsWith("c.")).map(({ name }) => name);

test("a column with the name of another parameter, of a part of the address, or of another filter has a prefix", () => {
  expect(namesOf({ name: "limit", type: "number" }, { name: "area", type: "text" })).toEqual([
    "c.limit",
    "c.limit_min",
    "c.limit_max",
    "c.area",
  ]);
  // A table with the column `Type`, which every record has.
  expect(namesOf({ name: "c.Type", type: "text" })).toEqual(["c.Type"]);
  const [price, lowest] = [
    { name: "Price", type: "number" },
    { name: "Price_min", type: "number" },
  ] as const;
  const both = namesOf(price, lowest);
  expect(new Set(both).size).toBe(6);
  expect(both.slice(0, 4)).toEqual(["Price", "Price_min", "Price_max", "c.Price_min"]);
  expect(namesOf(lowest, price).slice(0, 4)).toEqual(["Price_min", "Price_min_min", "Price_min_max", "c.Price"]);
});

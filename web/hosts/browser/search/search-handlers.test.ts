import { expect, test } from "vitest";
import table from "./category-parents.json" with { type: "json" };
import { withParents } from "./search-handlers.ts";

test("the parent of a category comes from rows, otherwise from the first counted one of the table", () => {
  const counts = ["amenity", "cafe", "food_and_drink", "unheard_of"].map((value) => ({ value, rows: 1 }));
  const parentsOf = (facetCounts: Parameters<typeof withParents>[0]) =>
    withParents(facetCounts, table).map(({ parent }) => parent);
  expect(parentsOf(counts)).toEqual([undefined, "amenity", undefined, undefined]);
  const casual = [...counts.slice(1), { value: "casual_eatery", rows: 1 }];
  expect(parentsOf(casual)).toEqual(["casual_eatery", undefined, undefined, "food_and_drink"]);
  expect(parentsOf([{ value: "cafe", rows: 1, parent: "food_and_drink" }, ...counts])[2]).toBeUndefined();
});

import { expect, test } from "vitest";
import { categoryTree } from "./category-tree.ts";

const counts = [
  { value: "food", rows: 9 },
  { value: "restaurant", rows: 7, parent: "food" },
  { value: "pizza", rows: 3, parent: "restaurant" },
  { value: "cafe", rows: 2, parent: "food" },
  // a parent without rows, and two that are each the parent of the other
  { value: "gym", rows: 2, parent: "sports" },
  { value: "hen", rows: 1, parent: "egg" },
  { value: "egg", rows: 1, parent: "hen" },
  { value: "yolk", rows: 1, parent: "egg" },
];

const valuesBelow = (value: string | undefined) => tree.below(value).map((each) => each.value);
const tree = categoryTree(counts);

test("categories are nested, each once", () => {
  expect(tree.above("pizza")).toEqual(["restaurant", "food"]);
  expect(valuesBelow(undefined)).toEqual(["food", "gym", "hen", "egg"]);
  expect(valuesBelow("food")).toEqual(["restaurant", "cafe"]);
  const walk = (value: string | undefined): string[] => valuesBelow(value).flatMap((each) => [each, ...walk(each)]);
  expect(walk(undefined).sort()).toEqual(counts.map(({ value }) => value).sort());
});

import { expect, test } from "vitest";
import { ownFilters } from "../../../data/format/own-filters.ts";
import { offeredFilters } from "./locator.tsx";

const filters = ownFilters(
  {
    columns: [
      { name: "Category", type: "text", hasTerms: true },
      { name: "Price", type: "number" },
      { name: "Opened", type: "date" },
    ],
  },
  () => false,
);
const offered = (names: readonly string[] | undefined, conditions: string) =>
  offeredFilters(filters, names, new URLSearchParams(conditions)).map(({ name }) => name);

test("visitors get no filter for a column that the owner limits by any of its parameters", () => {
  const names = ["Category", "Price", "Opened"];
  expect(offered(names, "")).toEqual(["Category", "Price_min", "Opened_min"]);
  expect(offered(names, "Price_max=10")).toEqual(["Category", "Opened_min"]);
  expect(offered(names, "Opened=2024&Category=Bakery")).toEqual(["Price_min"]);
  expect(offered(undefined, "")).toEqual(["Category"]);
  expect(offered(undefined, "Category=Bakery")).toEqual([]);
  expect(() => offered(["Town"], "")).toThrow("no column Town");
});

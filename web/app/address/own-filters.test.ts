import { beforeEach, describe, expect, test } from "vitest";
import type { OwnSchema } from "../../../data/format/own-schema.ts";
import { ownFiltersOf as filtersOfSchema } from "../../search/index.ts";
import { keptFilters, parseFilter } from "./filters.ts";
import { describeOwnPaths } from "./paths.ts";
import { changed, formatPageState, isComplete, parsePageState, restAddress } from "./search.ts";

const SHOPS: OwnSchema = {
  columns: [
    { name: "Name", type: "text", role: "name" },
    { name: "Kind", type: "text", hasTerms: true },
    { name: "area", type: "text", hasTerms: true },
    { name: "limit", type: "number" },
    { name: "Price", type: "number" },
    { name: "Open", type: "boolean", hasTerms: true },
    { name: "Since", type: "date" },
  ],
};

function learn(): void {
  const filters = filtersOfSchema(SHOPS);
  const collection = { rows: 1, countries: {}, bbox: [0, 0, 1, 1], focus: undefined, namesBytes: 0 } as const;
  describeOwnPaths({ collections: [{ name: "shops", schema: SHOPS, filters, ...collection }] });
}

beforeEach(() => describeOwnPaths({ collections: [] }));

test.each([
  ["Kind", " Bakery , Café ", "Bakery,Café"],
  ["Kind", " , ", undefined],
  ["Price", "3.50, 4", "3.5,4"],
  ["Price_min", "+2.50", "2.5"],
  ["Price_max", "1e3", "1000"],
  ["Price_max", "1e999", undefined],
  ["Price_min", "cheap", undefined],
  ["Open", "false,true", "true,false"],
  ["Open", "yes", undefined],
  ["Since_min", "2020-05", "2020-05"],
  ["Since_min", "5/2020", undefined],
  ["Since", "2020", "2020"],
  ["Name", "pain", "pain"],
  ["Name", "!", undefined],
  ["name", "pain", "pain"],
  ["categories", "cafe", undefined],
  ["limit", "5", undefined],
  ["c.limit_min", "5", "5"],
  ["Pric", "5", undefined],
  ["include_unknown", "Price_min,Open,c.limit_max", "Price_min,Open,c.limit_max"],
  // one of a column is enough
  ["include_unknown", "Price_max,Price_min,Since", "Price_max,Since"],
  ["include_unknown", "Kind", undefined],
])("a table takes %s=%j as %j", (name, value, expected) => {
  learn();
  expect(parseFilter("shops", name, value)).toBe(expected);
});

describe("the address of a table", () => {
  const HASH = "#/shops?Kind=Bakery,Books%20%26%20more&c.area=North&Price_min=2&Since_max=2020-05&limit=25";

  test("keeps its filters in the order of the columns", () => {
    learn();
    const { search, refused } = parsePageState(
      "#/shops?Since_max=2020-05&Price_min=2.0&c.area=North&Kind=Bakery,Books%20%26%20more",
    );
    expect(refused).toEqual([]);
    expect(formatPageState({ ...(search && { search }) })).toBe(HASH);
    expect(search && restAddress(search)).toBe(HASH.slice(2));
  });

  test("can have a drawn area and a column with this name", () => {
    learn();
    const { search } = parsePageState("#/shops?area=7,43,8,44&c.area=North");
    expect(search).toMatchObject({ area: { kind: "box", bbox: [7, 43, 8, 44] }, filters: { "c.area": "North" } });
  });

  test("is kept as it is until the dataset is read, and then loses what is no filter", () => {
    const hash = "#/shops?Price_min=cheap&Pric=3&Kind=Bakery";
    const before = parsePageState(hash);
    expect(before).toMatchObject({
      refused: [],
      search: { filters: { Price_min: "cheap", Pric: "3", Kind: "Bakery" } },
    });
    learn();
    const { refused, search } = parsePageState(hash);
    expect(refused).toEqual(["Price_min=cheap (12.5)", "Pric=3"]);
    expect(search?.filters).toEqual({ Kind: "Bakery" });
  });

  test("includes rows without a value only with a filter of the column", () => {
    const unread = parsePageState("#/shops?Price_max=5&include_unknown=Price_min,Open").search;
    expect(unread && restAddress(unread)).toContain("include_unknown=Price_min,Open");
    learn();
    const { search } = parsePageState("#/shops?Price_max=5&include_unknown=Price_min,Open");
    if (!search) throw new Error("no search in the address");
    expect(restAddress(search)).toBe("shops?Price_max=5&include_unknown=Price_min&limit=25");
    const { Price_max: _, ...filters } = search.filters;
    expect(changed(search, { filters }).filters).toEqual({});
  });

  test("needs neither a place nor a filter", () => {
    const { search } = parsePageState("#/shops");
    expect(search && isComplete(search)).toBe(true);
  });
});

test("another path drops the filters of columns", () => {
  learn();
  const { search } = parsePageState("#/shops?country=MC&Kind=Bakery&name=pain");
  if (!search) throw new Error("no search in the address");
  expect(changed(search, { path: "places" }).filters).toEqual({ name: "pain" });
  expect(keptFilters("divisions", { Kind: "Bakery" })).toEqual({});
});

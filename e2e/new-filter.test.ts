import { expect, test, vi } from "vitest";

const DOC = "Least height of the roof, metres.";
/** A new entry for the table in `data/format/filters.ts`. */
const MIN_ROOF_HEIGHT = {
  kind: "least",
  column: "roof_height",
  groups: ["classified"],
  min: 0,
  max: 1000,
  sql: "roof_height >= ?",
} as const;

test("a filter in the table is part of the interface, its document, the page and its SQL", async () => {
  vi.doMock("../data/format/filters.ts", async (original) => {
    const table = await original<typeof import("../data/format/filters.ts")>();
    const FILTERS = { ...table.FILTERS, min_roof_height: MIN_ROOF_HEIGHT };
    const filterNamed = (name: keyof typeof FILTERS) => FILTERS[name];
    const names = Object.keys(FILTERS) as (keyof typeof FILTERS)[];
    const filtersOf = (group: string) =>
      names.filter((name) => filterNamed(name).groups.some((each) => each === group));
    return { ...table, FILTERS, filterNamed, filtersOf };
  });
  vi.doMock("../data/format/filter-docs.ts", async (original) => {
    const { FILTER_DOCS } = await original<typeof import("../data/format/filter-docs.ts")>();
    return { FILTER_DOCS: { ...FILTER_DOCS, min_roof_height: DOC } };
  });
  const { SEARCH_PATHS, parseSearch } = await import("../web/search/index.ts");
  const { createRoutes } = await import("../web/api/index.ts");
  const { filtersOf, parseFilter } = await import("../web/app/address/filters.ts");
  const { parsePageState } = await import("../web/app/address/search.ts");
  const { searchSql } = await import("../web/app/copy/sql.ts");
  const { openNodeDataset } = await import("../web/hosts/node/open.ts");

  const buildings = SEARCH_PATHS.find(({ path }) => path === "/buildings");
  if (!buildings) throw new Error("no path /buildings");
  expect(parseSearch(buildings, { country: "MC", min_roof_height: "12.5" }).query.filters).toEqual({
    atLeast: { roof_height: 12.5 },
  });
  expect(() => parseSearch(buildings, { country: "MC", min_roof_height: "-1" })).toThrow(
    'min_roof_height must be a number from 0 to 1000, got "-1"',
  );
  const document = JSON.parse(JSON.stringify(createRoutes(openNodeDataset("nowhere")).documentAt(".")));
  const parameters: { name: string; description: string }[] = document.paths["/buildings"].get.parameters;
  expect(parameters.find(({ name }) => name === "min_roof_height")?.description).toBe(DOC);

  expect(filtersOf("buildings")).toContain("min_roof_height");
  expect(parseFilter("buildings", "min_roof_height" as never, "1001")).toBeUndefined();
  const { search } = parsePageState("#/buildings?country=MC&min_roof_height=12.5");
  if (!search) throw new Error("no search in the address");
  expect(searchSql({ search, collections: new Set(["building"]), ids: [] })).toContain("roof_height >= 12.5");
});

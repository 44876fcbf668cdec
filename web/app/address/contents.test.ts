import { expect, test } from "vitest";
import type { DatasetSummary } from "../../hosts/browser/protocol/index.ts";
import { examplesIn, pathsIn, startBox, startSearch } from "./contents.ts";
import { EMPTY_SEARCH } from "./search.ts";

type Held = DatasetSummary["collections"][number];

const VADUZ = { lat: 47.14, lon: 9.52, radiusMeters: 700, country: "LI" };

const held = (name: Held["name"], more: Partial<Held> = {}): Held => ({
  name,
  rows: 10,
  countries: { LI: 10 },
  bbox: [9.5, 47.1, 9.6, 47.2],
  focus: VADUZ,
  namesBytes: 1000,
  ...more,
});

test("a dataset of one collection has one path, with a circle and a country as examples", () => {
  const contents = { collections: [held("building")] };
  expect(pathsIn(contents)).toEqual(["buildings"]);
  expect(startSearch(contents)).toEqual({ ...EMPTY_SEARCH, path: "buildings" });
  expect(startBox(contents)).toEqual([9.5, 47.1, 9.6, 47.2]);
  const start = { ...EMPTY_SEARCH, path: "buildings" };
  expect(examplesIn(contents)).toEqual([
    { search: { ...start, centre: { lat: 47.14, lon: 9.52 }, radiusMeters: 700 }, country: "LI" },
    { search: { ...start, country: "LI" }, country: "LI" },
  ]);
});

test("a type that its path does not search by default is requested by name", () => {
  const contents = { collections: [held("division"), held("connector")] };
  expect(pathsIn(contents)).toEqual(["transportation", "divisions"]);
  expect(startSearch(contents)).toMatchObject({ path: "transportation", filters: { types: "connector" } });
  expect(examplesIn(contents).map(({ search }) => [search.path, search.filters.types])).toEqual([
    ["transportation", "connector"],
    ["divisions", "division"],
    ["divisions", "division"],
  ]);
});

test("examples are circles of the first two paths and the country with most divisions", () => {
  const focus = { ...VADUZ, lat: -1.29, lon: 36.82, country: "KE" };
  const areas = held("division_area", { countries: { KE: 4, TZ: 90 }, focus: undefined });
  const contents = { collections: [held("address"), held("place", { focus }), held("building"), areas] };
  expect(examplesIn(contents).map(({ search, country }) => [search.path, country])).toEqual([
    ["places", "KE"],
    ["buildings", "LI"],
    ["divisions", "TZ"],
  ]);
});

test("a dataset of the whole world, or without rows, has no first box", () => {
  const world = { collections: [held("place", { bbox: [-170, -50, 175, 70], focus: undefined })] };
  expect(startBox(world)).toBeUndefined();
  expect(examplesIn(world).map(({ search }) => search.country)).toEqual(["LI"]);
  expect(startBox({ collections: [held("place", { bbox: [177, -19, -178, -16] })] })).toEqual([177, -19, -178, -16]);
  const empty = { collections: [] };
  expect([pathsIn(empty), examplesIn(empty), startBox(empty)]).toEqual([[], [], undefined]);
  expect(startSearch(empty)).toBe(EMPTY_SEARCH);
});

import { expect, test } from "vitest";
import { SEARCH_PATHS } from "../../search/paths.ts";
import { collectionsOf, filtersOf, parseFilter } from "./filters.ts";
import { PATHS } from "./paths.ts";

/** Parameters that the page handles separately or does not use: location and paging. */
const NOT_FILTERS = [
  ...[
    "lat",
    "lng",
    "radius",
    "nearest",
    "within",
    "country",
    "limit",
    "page",
    "release",
    "format",
    "includes",
    "api_key",
    "bbox",
  ],
  "enrichment_fields",
  "include_unknown",
];

test.each(PATHS)("%s accepts all filters of the REST interface", (path) => {
  const { parameters = [], types } = SEARCH_PATHS.find((known) => known.path === `/${path}`) ?? {};
  const filters = parameters.filter((name) => ![...NOT_FILTERS, "include_geometry"].includes(name));
  expect([...filtersOf(path)].sort()).toEqual([...filters, ...(types ? ["types"] : [])].sort());
});

test.each([
  ["places", "categories", " cafe , bar,", "cafe,bar"],
  ["places", "categories", " , ", undefined],
  ["places", "operating_status", "temporarily_closed,open", "open,temporarily_closed"],
  ["places", "operating_status", "shut", undefined],
  ["places", "min_confidence", ".50", "0.5"],
  ["places", "min_confidence", "1.01", undefined],
  ["places", "min_confidence", "0x1", undefined],
  ["places", "name", "a", undefined],
  ["places", "name", "茶", "茶"],
  ["places", "subtype", "house", undefined],
  ["base", "types", "water,land", "land,water"],
  ["base", "types", "building", undefined],
  ["buildings", "min_height", "12.5", "12.5"],
  ["buildings", "min_floors", "-1", undefined],
  ["transportation", "speed_limit", "50kmh, 25mph", "50kmh,25mph"],
  ["transportation", "min_height", "3", undefined],
  ["divisions", "admin_level", "1,2", "1,2"],
  ["divisions", "admin_level", "17", undefined],
  ["divisions", "admin_level", "1.5", undefined],
  ["buildings", "include_unknown", "min_floors, min_height,min_floors", "min_floors,min_height"],
  ["buildings", "include_unknown", "min_height,class", undefined],
  ["buildings", "include_unknown", " , ", undefined],
  ["places", "include_unknown", "has_contact", undefined],
  ["divisions", "include_unknown", "name", undefined],
] as const)("%s with %s=%j accepts %j", (path, name, value, expected) => {
  expect(parseFilter(path, name, value)).toBe(expected);
});

test("types choose the collections", () => {
  expect(collectionsOf("buildings", {})).toEqual(["building"]);
  expect(collectionsOf("buildings", { types: "building_part" })).toEqual(["building_part"]);
});

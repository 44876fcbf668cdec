import { expect, test } from "vitest";
import type { Search } from "../address/search.ts";
import { attributionFileName, exportFileName } from "./file-name.ts";

const CIRCLE = {
  path: "places",
  centre: { lat: 40.0165, lon: -105.271 },
  radiusMeters: 1000,
  country: undefined,
  page: 1,
  limit: 25,
} as Search;

test("contains the search, and the page", () => {
  expect(exportFileName(CIRCLE, "page", "csv")).toBe("places-40.0165_-105.271-1000m-page-2.csv");
  const country: Search = { ...CIRCLE, centre: undefined, country: "JP", path: "divisions" };
  expect(exportFileName(country, "all", "geojson")).toBe("divisions-JP.geojson");
});

test("the file of sources is named after the export, also if the user renamed it", () => {
  expect(attributionFileName("my shops.v2.geojson")).toBe("my shops.v2-sources.txt");
  expect(attributionFileName("shops")).toBe("shops-sources.txt");
});

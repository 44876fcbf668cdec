import { expect, test } from "vitest";
import { isTableAddress } from "./init.ts";

test("with an area, an address is a table by its ending, otherwise a mirror of releases", () => {
  const tables = ["shops.csv", "shops.fgb", "town.osm.pbf", "shops.parquet", "export.ndjson?key=1", "stops.txt"];
  for (const name of tables) expect(isTableAddress(`https://data.example/${name}`, true), name).toBe(true);
  expect(isTableAddress("https://docs.google.com/spreadsheets/d/1/edit", true)).toBe(true);
  for (const name of ["", "catalog.json"])
    expect(isTableAddress(`https://mirror.example/overture/${name}`, true)).toBe(false);
  expect(isTableAddress("https://data.example/shops", false)).toBe(true);
});

import { expect, test } from "vitest";
import type { DatasetSummary } from "../../hosts/browser/protocol/index.ts";
import { areNamesSaved, collectionsKept, pathsKept } from "./area-choice.ts";

type Held = DatasetSummary["collections"][number];

const held = (name: Held["name"], namesBytes: number): Held => ({
  name,
  namesBytes,
  rows: 1,
  countries: {},
  bbox: [0, 0, 1, 1],
  focus: undefined,
});

test("names are saved with an area unless names of the chosen kinds exceed 64 MB", () => {
  const dataset = { collections: [held("place", 40_000_000), held("address", 40_000_000)] };
  expect(areNamesSaved(["place"], dataset)).toBe(true);
  expect(areNamesSaved(["place", "segment"], dataset)).toBe(true);
  expect(areNamesSaved(["place", "address"], dataset)).toBe(false);
});

test("an area has tables too, and a table comes first", () => {
  expect(collectionsKept("shops")).toEqual(["shops"]);
  expect(pathsKept(["place", "place_building", "shops"])).toEqual(["shops", "places"]);
});

import { expect, test } from "vitest";
import { batchCountries } from "./country-batch.ts";

test("small countries share a batch, a large one is alone", () => {
  const countries = [
    ["AD", 10],
    ["FR", 500],
    ["LI", 20],
    ["MC", 30],
    ["SM", 60],
  ] as const;
  expect(batchCountries(countries, 100).map((batch) => [...batch])).toEqual([["AD"], ["FR"], ["LI", "MC"], ["SM"]]);
  expect(batchCountries(countries, 1000).map((batch) => [...batch])).toEqual([["AD", "FR", "LI", "MC", "SM"]]);
  expect(batchCountries([])).toEqual([]);
});

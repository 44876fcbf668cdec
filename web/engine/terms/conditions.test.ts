import { beforeAll, expect, test } from "vitest";
import { FOLD_VERSION } from "../../../data/format/fold.ts";
import { ALL_COUNTRIES, type Manifest } from "../../../data/format/manifest.ts";
import type { Filters } from "../contract/query.ts";
import type { Session } from "../store/session.ts";
import { makeDataset } from "../testing/made-up-dataset.ts";
import { createSessions } from "../testing/session.ts";
import { memorySource } from "../testing/sources.ts";
import { canAskTerms, candidateRows, isKnownByTerms, searchable, usable } from "./conditions.ts";

const LONG = "a".repeat(30);
let session: Session;
beforeAll(async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    id: `r${String(i).padStart(2, "0")}`,
    country: "AA",
    geometry: { type: "Point", coordinates: [0, 0] } as const,
    values: {
      names: `{'primary': '${i % 2 === 0 ? "even" : "odd"} ${i % 3 === 0 ? "third" : "other"} ${i === 7 ? `${LONG}b` : i === 9 ? `${LONG}c` : ""}'}`,
    },
  }));
  session = (
    await createSessions(
      memorySource(await makeDataset({ division: rows, place: rows }, { termsPerSlice: 2, rowsPerPartition: 100 })),
    )
  )();
});

const candidatesOf = (filters: Filters) =>
  candidateRows({ session, collection: "place", run: "term", country: "AA" }, filters);

test.each([
  ["one word", { terms: [["name:even"]] }, 30, true],
  ["two words", { terms: [["name:even"], ["name:third"]] }, 10, true],
  ["any of two words", { terms: [["name:third", "name:odd"]] }, 40, true],
  ["a word and nothing that is known", { terms: [["name:even"], ["name:zebra"]] }, 0, true],
  ["a word and a number", { terms: [["name:even"]], atLeast: { confidence: 0.5 } }, 30, false],
  ["a word and a box", { terms: [["name:even"]], bbox: [0, 0, 1, 1] }, 30, false],
  ["a word longer than those stored", { terms: [[`name:${LONG}b`]] }, 2, false],
] as const)("%s returns its rows, and whether all match", async (_, filters, rows, areExact) => {
  const { numbers, ...rest } = await candidatesOf(filters as Filters);
  expect([numbers.length, rest.areExact]).toEqual([rows, areExact]);
});

test("a run is used only if it exists, has the same folding, and has lists for one of the conditions", () => {
  const { manifest } = session;
  const named: Filters = { terms: [["name:even"]] };
  expect(canAskTerms(manifest, "place", "AA", named)).toBe(true);
  expect(canAskTerms(manifest, "place", "AA", {})).toBe(false);
  expect(canAskTerms(manifest, "place", "AA", { atLeast: { confidence: 1 } })).toBe(false);
  expect(canAskTerms(manifest, "place", ALL_COUNTRIES, named)).toBe(false);
  expect(canAskTerms(manifest, "division", ALL_COUNTRIES, named)).toBe(true);
  expect(canAskTerms(manifest, "division", ALL_COUNTRIES, { terms: [["subtype:county"]] })).toBe(false);
  expect(canAskTerms(manifest, "building", "AA", named)).toBe(false);
  const folded: Manifest = { ...manifest, fold_version: FOLD_VERSION + 1 };
  expect(canAskTerms(folded, "place", "AA", named)).toBe(false);
});

test("over all countries only names have lists", () => {
  const terms = [["name:a"], ["level:2"], ["name:b", "level:2"]];
  expect(usable("AA", { terms })).toEqual(terms);
  expect(usable(ALL_COUNTRIES, { terms })).toEqual([["name:a"]]);
  expect(usable(ALL_COUNTRIES, {})).toEqual([]);
});

test("terms are sufficient if they are stored whole and there are no other conditions", () => {
  expect(isKnownByTerms({ terms: [["name:even"], ["category:a b"]] })).toBe(true);
  expect(isKnownByTerms({ terms: [[`name:${LONG}`]] })).toBe(false);
  expect(isKnownByTerms({ terms: [[`category:${LONG}`]] })).toBe(true);
  expect(isKnownByTerms({ terms: [], atLeast: {} })).toBe(false);
});

test("collections without the columns of a condition are left out", () => {
  const collections = ["place", "building", "division", "address"] as const;
  expect(searchable({ collections: {} } as Manifest, { collections, filters: { terms: [["name:a"]] } })).toEqual(
    collections,
  );
  expect(
    searchable({ collections: {} } as Manifest, { collections, filters: { terms: [["category:a", "level:2"]] } }),
  ).toEqual(["place", "division"]);
  expect(
    searchable({ collections: {} } as Manifest, { collections, filters: { terms: [["category:a"], ["level:2"]] } }),
  ).toEqual([]);
  expect(searchable({ collections: {} } as Manifest, { collections })).toEqual(collections);
});

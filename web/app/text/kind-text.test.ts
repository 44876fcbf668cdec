import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Feature } from "../../engine/contract/query.ts";
import { categoryNames, kindText, propertyText } from "./kind-text.ts";
import { recordSubtitle, recordTitle } from "./record-text.ts";
import { speak } from "./text.ts";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["fr-CA", "en"] });
});
afterEach(() => speak("en"));
afterAll(() => {
  vi.unstubAllGlobals();
});

function recordOf(properties: Feature["properties"]): Feature {
  return { type: "Feature", id: "a", geometry: { type: "Point", coordinates: [0, 0] }, properties };
}

test("kinds of which there are few are told in the reader's language, others in the dataset's words", async () => {
  expect([kindText("building_part"), kindText("grain_silo"), kindText(undefined)]).toEqual([
    "Building part",
    "Grain silo",
    "",
  ]);
  await speak("de");
  expect([kindText("building_part"), kindText("grain_silo")]).toEqual(["Gebäudeteil", "Grain silo"]);
});

test("a category is told in the reader's language where it has a name there, else in the dataset's words", () => {
  categoryNames.value = new Map([["pharmacy", "Apotheke"]]);
  const place = { theme: "places", type: "place", names: { primary: "A" } };
  const shown = ["pharmacy", "fast_food", "constructor"].map((primary) =>
    recordSubtitle(recordOf({ ...place, categories: { primary } })),
  );
  expect(shown).toEqual(["Apotheke", "Fast food", "Constructor"]);
  categoryNames.value = new Map();
});

test("properties of the schema are told in the reader's language, tags of a source in theirs", async () => {
  expect([propertyText("num_floors"), propertyText("opening_hours")]).toEqual(["Floors", "Opening hours"]);
  await speak("de");
  expect([propertyText("num_floors"), propertyText("opening_hours")]).toEqual(["Stockwerke", "Opening hours"]);
});

test("a record without a name is called what it is, and its height told in the reader's numbers", async () => {
  await speak("fr");
  const record = recordOf({ theme: "buildings", type: "building", height: 12.5 });
  expect([recordTitle(record), recordSubtitle(record)]).toEqual(["Bâtiment", "12,5 m de haut"]);
  expect(recordTitle(recordOf({}))).toBe("Sans nom");
});

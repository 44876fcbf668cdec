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

test("common kinds are shown in the user's language, others in the words of the dataset", async () => {
  expect([kindText("building_part"), kindText("grain_silo"), kindText(undefined)]).toEqual([
    "Building part",
    "Grain silo",
    "",
  ]);
  await speak("de");
  expect([kindText("building_part"), kindText("grain_silo")]).toEqual(["Gebäudeteil", "Grain silo"]);
});

test("a category is shown in the user's language if it has a name there, otherwise in the words of the dataset", () => {
  categoryNames.value = new Map([["pharmacy", "Apotheke"]]);
  const place = { theme: "places", type: "place", names: { primary: "A" } };
  const shown = ["pharmacy", "fast_food", "constructor"].map((primary) =>
    recordSubtitle(recordOf({ ...place, categories: { primary } })),
  );
  expect(shown).toEqual(["Apotheke", "Fast food", "Constructor"]);
  categoryNames.value = new Map();
});

test("properties of the schema are shown in the user's language, tags of a source unchanged", async () => {
  expect([propertyText("num_floors"), propertyText("opening_hours")]).toEqual(["Floors", "Opening hours"]);
  await speak("de");
  expect([propertyText("num_floors"), propertyText("opening_hours")]).toEqual(["Stockwerke", "Opening hours"]);
});

test("a record without a name is titled by its kind, with its height in the user's number format", async () => {
  await speak("fr");
  const record = recordOf({ theme: "buildings", type: "building", height: 12.5 });
  expect([recordTitle(record), recordSubtitle(record)]).toEqual(["Bâtiment", "12,5 m de haut"]);
  expect(recordTitle(recordOf({}))).toBe("Sans nom");
});

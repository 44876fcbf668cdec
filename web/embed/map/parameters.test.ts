import { expect, test } from "vitest";
import { radiusOf } from "../../../data/format/town-radius.ts";
import type { Suggestion } from "../../engine/index.ts";
import { searchMeant, searchOf } from "./parameters.ts";

const search = (attributes: Readonly<Record<string, string>>) =>
  searchOf((name) => attributes[name] ?? null, "https://host.example/", { filters: new Map(), position: undefined });

const meant: Suggestion = {
  ...{ kind: "category", collection: "place", id: "bakery", name: "Bakery", detail: "" },
  ...{ country: "MC", lon: 7.42, lat: 43.73, unused: [] },
};

function searched(attributes: Readonly<Record<string, string>>, more: Partial<Suggestion>) {
  const asked = search({ src: "data", text: "bakery", ...attributes });
  if (!asked) throw new Error("no search");
  const { path, parameters, circle } = searchMeant(asked, { ...meant, ...more, radiusMeters: radiusOf(more.bbox) });
  return { path, parameters, circle };
}

test("counts are by divisions or cells, and left out without the attribute", () => {
  const at = { src: "data", country: "MC" };
  expect(search({ ...at, counts: " region " })?.counts).toBe("region");
  expect(search({ ...at, counts: "" })?.counts).toBeUndefined();
  expect(search(at)?.counts).toBeUndefined();
  expect(() => search({ ...at, counts: "region", list: "" })).toThrow("list and counts exclude each other");
});

test("a text may replace the location", () => {
  expect(search({ src: "data" })).toBeUndefined();
  expect(search({ src: "data", text: " " })).toBeUndefined();
  expect(search({ src: "data", text: "bakery" })).toMatchObject({ text: "bakery", circle: undefined });
});

test("a category is searched at the given location, or where the text says", () => {
  const at = { lat: "43.7", lng: "7.4", radius: "300" };
  expect(searched({ ...at, path: "buildings" }, {})).toEqual({
    path: "/places",
    parameters: { ...at, limit: "200", categories: "bakery" },
    circle: { lat: 43.7, lon: 7.4, radiusMeters: 300 },
  });
  expect(searched({ country: "MC" }, {}).parameters).toEqual({ country: "MC", limit: "200", categories: "bakery" });
  expect(searched({}, {}).parameters).toMatchObject({ lat: "43.73", lng: "7.42", radius: "1000" });
  expect(searched(at, { within: "Monaco", bbox: [7.4, 43.72, 7.44, 43.75] })).toMatchObject({
    parameters: { lat: "43.73", lng: "7.42", radius: "2000", categories: "bakery" },
    circle: { radiusMeters: 2000 },
  });
  expect(searched(at, { within: "Monaco", isCountryWide: true }).parameters).toEqual({
    ...{ country: "MC", limit: "200", categories: "bakery" },
  });
});

test("any other meaning is a location", () => {
  expect(searched({ path: "buildings" }, { kind: "division", id: "x" })).toMatchObject({
    path: "/buildings",
    parameters: { lat: "43.73", lng: "7.42", radius: "3000" },
  });
  expect(searched({ radius: "50" }, { kind: "address", id: "x" }).parameters).toEqual({
    ...{ lat: "43.73", lng: "7.42", radius: "50", limit: "200" },
  });
  expect(searched({}, { kind: "country", id: "x" })).toMatchObject({
    circle: undefined,
    parameters: { country: "MC" },
  });
});

test("a text may state a position", () => {
  const asked = search({ src: "data", text: "85GP2P8C+22", radius: "300" });
  if (!asked) throw new Error("no search");
  const { path, circle, parameters } = searchMeant(asked, { kind: "position", lat: 40.015, lon: -105.2799 });
  expect(path).toBe(asked.path);
  expect(circle).toEqual({ lat: 40.015, lon: -105.2799, radiusMeters: 300 });
  expect(parameters).toMatchObject({ lat: "40.015", lng: "-105.2799", radius: "300" });
});

import { describe, expect, test } from "vitest";
import type { DrawnArea } from "../../map/drawn-area.ts";
import {
  changed,
  EMPTY_SEARCH,
  formatPageState,
  isComplete,
  lastPageInstead,
  nearestArgument,
  type PageState,
  parsePageState,
  restAddress,
  type Search,
} from "./search.ts";

const SEARCH: Search = {
  path: "places",
  centre: { lat: 40.0165, lon: -105.271 },
  radiusMeters: 1000,
  country: "US",
  filters: {},
  page: 2,
  limit: 100,
};
const BOX: DrawnArea = { kind: "box", bbox: [170, -20, -170, 0.5] };
const TRIANGLE: DrawnArea = {
  kind: "polygon",
  ring: [
    [7.41, 43.72],
    [7.44, 43.73],
    [7.42, 43.75],
  ],
};

describe("the URL of the page", () => {
  test.each<PageState>([
    { search: undefined, record: undefined, view: undefined },
    { search: SEARCH, record: undefined, view: undefined },
    { search: { ...SEARCH, centre: undefined, page: 0, limit: 25 }, record: undefined, view: undefined },
    { search: { ...SEARCH, centre: undefined, area: BOX }, record: undefined, view: undefined },
    { search: { ...SEARCH, centre: undefined, area: TRIANGLE, country: undefined }, record: "a", view: undefined },
    {
      search: { ...SEARCH, filters: { name: "Café & Co", categories: "cafe,bar", min_confidence: "0.5" } },
      record: undefined,
      view: undefined,
    },
    {
      search: { ...EMPTY_SEARCH, path: "divisions", filters: { name: "東京", types: "division,division_area" } },
      record: undefined,
      view: undefined,
    },
    { search: { ...SEARCH, sort: "confidence" }, record: undefined, view: undefined },
    { search: SEARCH, record: "a&b=c#d/é", view: { zoom: 14.25, lat: -1.5, lon: 179.99 } },
    { search: SEARCH, record: undefined, view: undefined, colourBy: "Price & rank" },
    { search: SEARCH, record: undefined, view: { zoom: 16, lat: 43.7, lon: 7.4, bearing: -30 } },
    { search: SEARCH, record: undefined, view: { zoom: 16, lat: 43.7, lon: 7.4, bearing: 90, pitch: 55 } },
    { search: SEARCH, record: undefined, view: { zoom: 16, lat: 43.7, lon: 7.4, pitch: 55 } },
  ])("contains the whole state: %j", (state) => {
    expect(parsePageState(formatPageState(state))).toEqual({ ...state, refused: [] });
  });

  test("keeps zero as a coordinate", () => {
    const hash = formatPageState({
      search: { ...SEARCH, centre: { lat: 0, lon: 0 } },
      record: undefined,
      view: undefined,
    });
    expect(parsePageState(hash).search?.centre).toEqual({ lat: 0, lon: 0 });
  });

  test.each([
    "",
    "#",
    "#/",
    "#/non-sense?lat=1&lng=2",
    "#/places",
    "#/places?lat=1",
    "#/places?lat=91&lng=0",
    "#/places?lat=&lng=",
  ])("%j is an empty search", (hash) => {
    expect(parsePageState(hash).search).toBeUndefined();
  });

  test("refuses a radius beyond the other side of the globe", () => {
    expect(parsePageState("#/places?lat=1&lng=2&radius=20015086").search?.radiusMeters).toBe(20_015_086);
    expect(parsePageState("#/places?lat=1&lng=2&radius=1000000000").refused).toEqual([
      "radius=1000000000 (1–20015086)",
    ]);
  });

  test("accepts a name with half a surrogate pair", () => {
    const state = { search: SEARCH, record: undefined, view: undefined, around: "half \ud83d" };
    expect(parsePageState(formatPageState(state)).around).toBe("half \ufffd");
  });

  test("contains the list of offered areas, and what the map shows", () => {
    const state = { search: undefined, record: undefined, isAtPacks: true, view: { zoom: 9.5, lat: 43.7, lon: 7.4 } };
    expect(formatPageState(state)).toBe("#/packs?view=9.50/43.7/7.4");
    expect(formatPageState({ ...state, view: { ...state.view, pitch: 55 } })).toBe("#/packs?view=9.50/43.7/7.4/0/55");
    for (const wrong of ["9/43/7/181", "9/43/7/0/61", "9/43/7/0/-1", "9/43/7/0/5/1", "9/43/7/x"]) {
      expect(parsePageState(`#/packs?view=${wrong}`), wrong).toMatchObject({
        view: undefined,
        refused: [`view=${wrong}`],
      });
    }
    expect(parsePageState("#/packs?view=9.50/43.7/7.4")).toEqual({ ...state, refused: [] });
  });

  test("keeps the name of the location while there is a centre", () => {
    const state = { search: SEARCH, record: undefined, view: undefined, around: "Saint-Étienne & co" };
    expect(parsePageState(formatPageState(state))).toEqual({ ...state, refused: [] });
    expect(parsePageState("#/places?country=JP&around=Tokyo")).not.toHaveProperty("around");
    expect(formatPageState({ ...state, search: { ...SEARCH, centre: undefined } })).not.toContain("around");
  });

  test("leaves out invalid parts, and reports them", () => {
    const hash =
      "#/places?country=jp&radius=-1&limit=7&page=x&min_confidence=2&class=house&operating_status=open,shut&q=1";
    expect(parsePageState(hash)).toEqual({
      search: { ...EMPTY_SEARCH, country: "JP" },
      record: undefined,
      view: undefined,
      refused: [
        "radius=-1 (1–20015086)",
        "page=x (0–999999999)",
        "limit=7 (25/100/1000/25000)",
        "min_confidence=2",
        "class=house",
        "operating_status=open,shut",
        "q=1",
      ],
    });
    expect(parsePageState("#/non-sense?lat=1").refused).toEqual(["non-sense", "lat=1"]);
  });
});

describe("a changed search", () => {
  test("starts at its first page", () => {
    expect(changed(SEARCH, { radiusMeters: 5 })).toEqual({ ...SEARCH, radiusMeters: 5, page: 0 });
  });

  test("keeps the filters that its path accepts", () => {
    const filtered = { ...SEARCH, filters: { name: "oak", categories: "cafe" } };
    expect(changed(filtered, { path: "buildings" }).filters).toEqual({ name: "oak" });
    expect(changed(filtered, { path: "addresses" }).filters).toEqual({ name: "oak" });
    expect(changed({ ...SEARCH, sort: "name" }, { path: "buildings" }).sort).toBe("name");
    expect(changed({ ...SEARCH, sort: "confidence" }, { path: "buildings" }).sort).toBeUndefined();
  });

  test("has a centre or an area, not both", () => {
    const drawn = changed(SEARCH, { area: BOX });
    expect(drawn).toMatchObject({ area: BOX, centre: undefined });
    expect(changed(drawn, { centre: SEARCH.centre }).area).toBeUndefined();
    expect(changed(drawn, { radiusMeters: 5 }).area).toEqual(BOX);
  });

  test("is complete with a location or a division", () => {
    expect(isComplete(EMPTY_SEARCH)).toBe(false);
    expect(isComplete(changed(EMPTY_SEARCH, { country: "JP" }))).toBe(true);
    expect(isComplete(changed(EMPTY_SEARCH, { filters: { name: "Paris" } }))).toBe(false);
    expect(isComplete(changed(EMPTY_SEARCH, { path: "divisions", filters: { name: "Paris" } }))).toBe(true);
  });
});

test.each([
  [201, undefined],
  [200, 1],
  [0, 0],
])("page 2 of %d records at 100 a page becomes page %j", (total, page) => {
  expect(lastPageInstead({ search: SEARCH, total })?.page).toBe(page);
});

test("the nearest record of an empty circle has the filters and country of the search, and no radius", () => {
  const named = { ...SEARCH, filters: { name: "oak", categories: "cafe" } };
  expect(nearestArgument(named)).toEqual({
    path: "/places",
    parameters: {
      ...{ lat: "40.0165", lng: "-105.271", country: "US" },
      ...{ name: "oak", categories: "cafe", limit: "1", nearest: "1" },
    },
  });
});

test("the REST URL is the search without the state of the page", () => {
  expect(restAddress(SEARCH)).toBe("places?lat=40.0165&lng=-105.271&radius=1000&country=US&limit=100&page=2");
});

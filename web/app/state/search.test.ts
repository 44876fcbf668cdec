import { describe, expect, test } from "vitest";
import type { Area } from "../../hosts/browser/area/area.ts";
import { formatPageState, type PageState, parsePageState, restAddress, type Search } from "./search.ts";

const SEARCH: Search = {
  path: "places",
  centre: { lat: 40.0165, lon: -105.271 },
  radiusMeters: 1000,
  country: "US",
  page: 2,
  limit: 100,
};
const BOX: Area = { kind: "box", bbox: [170, -20, -170, 0.5] };
const TRIANGLE: Area = {
  kind: "polygon",
  ring: [
    [7.41, 43.72],
    [7.44, 43.73],
    [7.42, 43.75],
  ],
};

describe("the page's address", () => {
  test.each<PageState>([
    { search: undefined, record: undefined, view: undefined },
    { search: SEARCH, record: undefined, view: undefined },
    { search: { ...SEARCH, centre: undefined, page: 0, limit: 25 }, record: undefined, view: undefined },
    { search: { ...SEARCH, centre: undefined, area: BOX }, record: undefined, view: undefined },
    { search: { ...SEARCH, centre: undefined, area: TRIANGLE, country: undefined }, record: "a", view: undefined },
    { search: SEARCH, record: "a&b=c#d/é", view: { zoom: 14.25, lat: -1.5, lon: 179.99 } },
  ])("holds the whole state: %j", (state) => {
    expect(parsePageState(formatPageState(state))).toEqual(state);
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
    "#/nonsense?lat=1&lng=2",
    "#/places",
    "#/places?lat=1",
    "#/places?lat=91&lng=0",
    "#/places?lat=&lng=",
  ])("%j asks for nothing", (hash) => {
    expect(parsePageState(hash).search).toBeUndefined();
  });

  test("leaves out values that make no sense", () => {
    expect(parsePageState("#/places?country=jp&radius=-1&limit=7&page=x").search).toEqual({
      path: "places",
      centre: undefined,
      radiusMeters: 1000,
      country: "JP",
      page: 0,
      limit: 25,
    });
  });
});

test("the REST address is the search without the page's own state", () => {
  expect(restAddress(SEARCH)).toBe("places?lat=40.0165&lng=-105.271&radius=1000&country=US&limit=100&page=2");
});

import { expect, test } from "vitest";
import { metersTo, originAt } from "../../../data/format/sphere.ts";
import type { Centre } from "../address/coordinates.ts";
import { changed, EMPTY_SEARCH } from "../address/search.ts";
import { searchesAhead, stepsAhead } from "./steps-ahead.ts";

const between = (from: Centre, to: Centre) =>
  metersTo(originAt(from.lon, from.lat), to.lon, to.lat, originAt(to.lon, to.lat).cosLat);

test.each([
  ["north", { lat: 43.73, lon: 7.42 }, { lat: 43.7327, lon: 7.42 }],
  ["southwest", { lat: 43.73, lon: 7.42 }, { lat: 43.7281, lon: 7.4172 }],
  ["east over the antimeridian", { lat: -17.7, lon: 179.999 }, { lat: -17.7, lon: -179.999 }],
  ["west over the antimeridian", { lat: 66, lon: -179.999 }, { lat: 66.001, lon: 179.998 }],
  ["along the equator, from latitude and longitude 0", { lat: 0, lon: 0 }, { lat: 0, lon: 0.003 }],
])("%s: as far again, and as far to either side", (_, from, to) => {
  const step = between(from, to);
  const [ahead, ...sides] = stepsAhead(from, to);
  if (!ahead) throw new Error("no step ahead");
  expect(sides).toHaveLength(2);
  expect(between(from, ahead) / step).toBeCloseTo(2, 2);
  for (const side of sides) {
    expect(between(to, side) / step).toBeCloseTo(1, 2);
    expect(between(from, side) / step).toBeCloseTo(Math.SQRT2, 2);
  }
  for (const { lat, lon } of [ahead, ...sides]) {
    expect(Math.abs(lat)).toBeLessThanOrEqual(85);
    expect(Math.abs(lon)).toBeLessThanOrEqual(180);
  }
});

test("there is no step towards a pole", () => {
  expect(stepsAhead({ lat: 84.99, lon: 0 }, { lat: 84.999, lon: 0 }).map(({ lat }) => lat)).toEqual([84.999, 84.999]);
  expect(stepsAhead({ lat: -90, lon: 0 }, { lat: -90, lon: 3 })).toEqual([]);
});

const monaco = changed(EMPTY_SEARCH, { centre: { lat: 43.73, lon: 7.42 }, filters: { categories: "cafe" } });
const moved = { ...monaco, centre: { lat: 43.7327, lon: 7.42 } };

test("after a small move the next circles are predicted, with the same filters", () => {
  const ahead = searchesAhead(monaco, moved);
  expect(ahead.map(({ centre }) => centre)).toEqual(stepsAhead(monaco.centre ?? moved.centre, moved.centre));
  for (const search of ahead) expect({ ...search, centre: monaco.centre }).toEqual(monaco);
});

test.each([
  ["no search before", undefined, moved],
  ["the same place", monaco, monaco],
  ["another page", monaco, { ...moved, page: 1 }],
  ["another radius", monaco, { ...moved, radiusMeters: 2000 }],
  ["other filters", monaco, changed(moved, { filters: {} })],
  ["another path", changed(monaco, { path: "buildings" }), moved],
  ["circles that do not meet", monaco, { ...moved, centre: { lat: 43.75, lon: 7.42 } }],
  ["a country", changed(EMPTY_SEARCH, { country: "MC" }), changed(EMPTY_SEARCH, { country: "FR" })],
] as const)("nothing is predicted for %s", (_, before, made) => {
  expect(searchesAhead(before, made)).toEqual([]);
});

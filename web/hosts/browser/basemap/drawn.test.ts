import { describe, expect, test } from "vitest";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";
import type { Feature, Json } from "../../../engine/contract/query.ts";
import { distinctDivisions, drawnFeatures, nameIn } from "./drawn.ts";

const BOX: BBox = [7.4, 43.7, 7.44, 43.73];
const feature = (properties: Record<string, Json>, geometry: Geometry, id = "a"): Feature => ({
  id,
  type: "Feature",
  geometry,
  properties,
});
const at = (lon: number, lat: number): Geometry => ({ type: "Point", coordinates: [lon, lat] });
const square = (west: number, south: number, side: number): Geometry => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ],
});
const line: Geometry = {
  type: "LineString",
  coordinates: [
    [7.41, 43.71],
    [7.42, 43.72],
  ],
};

describe("names", () => {
  const names = { primary: "東京都", common: { en: "Tokyo", zh: "东京" } };
  test("are in the language of the user, or in the local language if missing", () => {
    expect(nameIn(names, "en-GB")).toBe("Tokyo");
    expect(nameIn(names, "zh")).toBe("东京");
    expect(nameIn(names, "ar")).toBe("東京都");
    expect(nameIn(undefined, "en")).toBeUndefined();
  });

  test("of areas are in exactly one tile, the one that contains the middle", () => {
    const park = (west: number) =>
      feature({ type: "land_use", subtype: "park", names: { primary: "Park" } }, square(west, 43.71, 0.01));
    expect(drawnFeatures(park(7.41), 14, BOX, "en").map(({ layer }) => layer)).toEqual(["land_use", "area_name"]);
    expect(drawnFeatures(park(7.439), 14, BOX, "en").map(({ layer }) => layer)).toEqual(["land_use"]);
  });

  test("shared by several divisions nearby appear once, for the town", () => {
    const divisions = [
      feature({ subtype: "country", names: { primary: "Monaco" } }, at(7.42, 43.73), "1"),
      feature({ subtype: "locality", names: { primary: "Monaco" } }, at(7.42, 43.73), "3"),
      feature({ subtype: "locality", names: { primary: "Monaco" }, population: 38_000 }, at(7.41, 43.72), "4"),
      feature({ subtype: "macrohood", names: { primary: "La Condamine" } }, at(7.42, 43.73), "2"),
    ];
    expect(distinctDivisions(divisions).map(({ id }) => id)).toEqual(["4", "2"]);
  });
});

describe("a tile leaves out", () => {
  test("footways that would be too small to see", () => {
    const footway = feature({ type: "segment", subtype: "road", class: "footway" }, line);
    expect(drawnFeatures(footway, 13, BOX, "en")).toEqual([]);
    expect(drawnFeatures(footway, 14, BOX, "en")).toHaveLength(1);
  });

  test("outlines that are too coarse for the tile", () => {
    const area = (side: number) => feature({ type: "division_area", class: "land" }, square(7.4, 43.7, side));
    expect(drawnFeatures(area(0.5), 13, BOX, "en")).toEqual([]);
    expect(drawnFeatures(area(0.004), 13, BOX, "en")).toHaveLength(1);
  });
});

test("a building has its height, if it is known", () => {
  const drawn = (properties: Record<string, Json>) =>
    drawnFeatures(feature({ type: "building", ...properties }, square(7.41, 43.71, 0.001)), 15, BOX, "en");
  expect(drawn({ height: 12.5 })[0]?.feature.properties).toMatchObject({ height: 12.5 });
  expect(drawn({ height: null })[0]?.feature.properties).not.toHaveProperty("height");
});

test("a road is a tunnel only if its whole length is below ground", () => {
  const isTunnel = (properties: Record<string, Json>) =>
    drawnFeatures(feature({ type: "segment", class: "primary", ...properties }, line), 14, BOX, "en")[0]?.feature
      .properties?.tunnel === true;
  expect(isTunnel({ level_rules: [{ value: -1 }] })).toBe(true);
  expect(isTunnel({ road_flags: [{ values: ["is_tunnel"], between: null }] })).toBe(true);
  expect(isTunnel({ road_flags: [{ values: ["is_tunnel"], between: [0, 0.5] }] })).toBe(false);
  expect(isTunnel({ level_rules: [{ value: 1 }] })).toBe(false);
});

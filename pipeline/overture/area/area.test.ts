import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { boxFilter, polygonFilter, shareOfBox } from "../../../data/release/index.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { labelOf, labelOfBox, parseBox, parseCountry, parsePlaceName, parseTypes, readAreaFile } from "./parse.ts";

const newFolder = temporaryFolders();

const square = (west: number, south: number, east: number, north: number) => ({
  type: "Polygon" as const,
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ] as [number, number][],
  ],
});

test("parses boxes, countries and types, and reports what is allowed", () => {
  expect(parseBox("7.40,43.72,7.44,43.76")).toEqual([7.4, 43.72, 7.44, 43.76]);
  expect(parseBox("170,-20,-170,-10")).toEqual([170, -20, -170, -10]);
  expect(parseCountry("mc")).toBe("MC");
  expect(parsePlaceName(" San  Marino ,SM")).toBe("San Marino, SM");
  for (const wrong of ["", " ", "Monaco,", ",MC"])
    expect(() => parsePlaceName(wrong)).toThrow(/^a place is a name, such as Monaco or Springfield, US-IL, got /);
  expect(parseTypes("building, place,place")).toEqual(["place", "building"]);
  for (const wrong of ["", "1,2,3", "1,2,3,", "1,2,3,4,5", "a,2,3,4", "1,2,181,4", "1,-91,3,4"])
    expect(() => parseBox(wrong), wrong).toThrow(/^a box is west,south,east,north in degrees, .*, got /);
  expect(() => parseBox("1,5,2,4")).toThrow("a box has its south below its north, got south 5, north 4");
  expect(parseBox("100,-60,-70,60")).toEqual([100, -60, -70, 60]);
  expect(() => parseBox("7.5,43,7.25,44")).toThrow(/is 359.75 degrees wide, got west 7.5, east 7.25: expected west/);
  for (const wrong of ["MCO", "", "M1"]) expect(() => parseCountry(wrong)).toThrow(/code of two letters, .*, got /);
  expect(() => parseTypes("place,poi")).toThrow(/^type poi: expected place, building, /);
  expect(() => parseTypes("place,")).toThrow(/^type without a name: expected /);
});

test("reads an area from a geometry, a feature, or a collection of features", async () => {
  const folder = await newFolder();
  const path = join(folder, "area.geojson");
  const feature = (geometry: unknown) => ({ type: "Feature", properties: {}, geometry });
  const [one, two] = [square(0, 0, 1, 1), square(5, 5, 6, 6)];
  const write = async (value: unknown) => {
    await writeFile(path, typeof value === "string" ? value : JSON.stringify(value));
    return readAreaFile(path);
  };
  expect(await write(one)).toEqual(one);
  expect(await write(feature(one))).toEqual(one);
  const both = { type: "FeatureCollection", features: [feature(one), feature(two)] };
  expect(await write(both)).toEqual({ type: "MultiPolygon", coordinates: [one.coordinates, two.coordinates] });
  await expect(write("{")).rejects.toThrow(`${path}: not JSON`);
  await expect(write({ type: "Point", coordinates: [0, 0] })).rejects.toThrow(`${path}: type must be Polygon`);
  await expect(write({ type: "FeatureCollection", features: [] })).rejects.toThrow(`${path}: an area of no polygons`);
  await expect(readAreaFile(join(folder, "none"))).rejects.toThrow("ENOENT");
});

test("prints an area as west,south,east,north and suggests the box that was probably meant", () => {
  expect(labelOf({ kind: "country", code: "MC" })).toBe("country MC");
  expect(labelOf({ kind: "box", bbox: [43.72, 7.4, 43.76, 7.44] })).toBe(
    "box 43.72,7.4,43.76,7.44 (a box is west,south,east,north, longitude before latitude; with both swapped it is 7.4,43.72,7.44,43.76)",
  );
  expect(labelOfBox([139, 35, 140, 36])).toBe(
    "box 139,35,140,36 (a box is west,south,east,north, longitude before latitude)",
  );
});

test("reports how much of a box the area covers, and counts a shared edge", () => {
  const share = shareOfBox(boxFilter([0, 0, 2, 2]));
  expect(share([0, 0, 4, 2])).toBe(0.5);
  expect(share([2, 2, 4, 4])).toBeGreaterThan(0);
  expect(share([2.1, 0, 4, 4])).toBe(0);
  expect(share([1, 1, 1, 1])).toBe(1);
  const pacific = shareOfBox(boxFilter([170, 0, -170, 2]));
  expect(pacific([-180, 0, -175, 2])).toBe(1);
  expect(pacific([160, 0, 169, 2])).toBe(0);
  const corner = shareOfBox(
    polygonFilter("corner", {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [2, 0],
          [0, 2],
          [0, 0],
        ],
      ],
    }),
  );
  expect(corner([1.5, 1.5, 2, 2])).toBe(0);
});

test("the box of an area over the antimeridian crosses it", () => {
  expect(polygonFilter("fiji", square(177, -19, 182, -16)).bbox).toEqual([177, -19, -178, -16]);
});

import { expect, test } from "vitest";
import { palette } from "../../map/palette.ts";
import { byOrigin, byPack, kindOf, xrayLayers, xrayShapes } from "./xray.ts";

const file = (path: string, from: "network" | "cache" | "memory", bbox?: [number, number, number, number]) => ({
  path,
  from,
  bytes: 1,
  rows: 1,
  ...(bbox && { bbox }),
});

test("partitions are outlined by origin; the index has no outline", () => {
  const files = [
    file("manifest.json", "memory"),
    file("place/country=US/geohash=9xj5/0123456789abcdef.parquet", "network", [-106, 40, -105, 41]),
    file("place/_points/0123456789abcdef.pack", "cache", [-106, 39, -105, 40]),
    file("place/_records/0123456789abcdef.pack", "network", [-106, 39, -105, 40]),
  ];
  const { features } = xrayShapes({ files });
  expect(features.map(({ properties }) => properties)).toEqual([
    { from: "network", kind: "location" },
    { from: "cache", kind: "points" },
  ]);
  expect(features[0]?.geometry).toEqual({
    type: "Polygon",
    coordinates: [
      [
        [-106, 40],
        [-105, 40],
        [-105, 41],
        [-106, 41],
        [-106, 40],
      ],
    ],
  });
  expect(xrayShapes(undefined).features).toEqual([]);
});

test("an outline across the antimeridian does not go around the globe", () => {
  const files = [file("place/country=FJ/geohash=ruz/0123456789abcdef.parquet", "network", [177, -20, -178, -15])];
  const [outline] = xrayShapes({ files }).features;
  const [ring = []] = outline?.geometry.type === "Polygon" ? outline.geometry.coordinates : [];
  expect(ring.map(([lon]) => lon)).toEqual([177, 182, 182, 177, 177]);
});

test("each kind has its own layer, and points without rows are dashed", () => {
  const layers = xrayLayers(palette(false));
  expect(layers.map((layer) => "filter" in layer && layer.filter)).toEqual([
    ["==", ["get", "kind"], "points"],
    ["==", ["get", "kind"], "location"],
  ]);
  expect(layers.map(({ paint }) => paint !== undefined && "line-dasharray" in paint)).toEqual([true, false]);
});

test.each([
  ["manifest.json", "manifest"],
  ["place/_pages/0123456789abcdef.pack", "page"],
  ["place/country=US/geohash=9xj/0123456789abcdef.parquet", "location"],
  ["place/_points/0123456789abcdef.pack", "points"],
  ["place/_records/0123456789abcdef.pack", "records"],
  ["place/_dictionary/0123456789abcdef.pack", "records"],
  ["place/_term/0123456789abcdef.pack", "term"],
  ["division/_suggest/0123456789abcdef.pack", "term"],
])("%s is %s", (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});

test("bytes are summed by origin", () => {
  const files = [
    { path: "a", bytes: 10, from: "memory" },
    { path: "b", bytes: 20, from: "network" },
    { path: "c", bytes: 30, from: "network" },
  ] as const;
  expect(byOrigin(files)).toEqual([
    { from: "network", files: 2, bytes: 50 },
    { from: "memory", files: 1, bytes: 10 },
  ]);
});

test("ranges of one file are listed together, separated by origin", () => {
  const files = [
    { path: "a", offset: 0, bytes: 10, rows: 3, from: "network" },
    { path: "a", offset: 90, bytes: 20, rows: 4, from: "network" },
    { path: "a", offset: 50, bytes: 5, from: "memory" },
    { path: "b", bytes: 1, from: "network" },
  ] as const;
  expect(byPack(files)).toEqual([
    { path: "a", offset: 0, bytes: 30, rows: 7, from: "network" },
    { path: "a", offset: 50, bytes: 5, from: "memory" },
    { path: "b", bytes: 1, from: "network" },
  ]);
});

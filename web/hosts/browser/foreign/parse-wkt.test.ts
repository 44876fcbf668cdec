import { expect, test } from "vitest";
import type { Geometry, Position } from "../../../../data/format/geometry.ts";
import { writeWkt } from "../../../../data/format/wkt.ts";
import { parseWkt } from "./parse-wkt.ts";

const a: Position = [7.4, 43.7];
const b: Position = [-7.5, 1e-7];
const c: Position = [180, -90];
const GEOMETRIES: readonly Geometry[] = [
  { type: "Point", coordinates: a },
  { type: "LineString", coordinates: [a, b] },
  {
    type: "Polygon",
    coordinates: [
      [a, b, c, a],
      [b, c, a, b],
    ],
  },
  { type: "MultiPoint", coordinates: [a, b] },
  {
    type: "MultiLineString",
    coordinates: [
      [a, b],
      [c, a],
    ],
  },
  {
    type: "MultiPolygon",
    coordinates: [
      [[a, b, c, a]],
      [
        [b, c, a, b],
        [a, b, c, a],
      ],
    ],
  },
];

test.each([...GEOMETRIES, { type: "GeometryCollection", geometries: GEOMETRIES } as const])(
  "$type is read as it is written",
  (geometry) => {
    expect(parseWkt(writeWkt(geometry))).toEqual(geometry);
  },
);

test.each([
  ["point(7.4 43.7)", { type: "Point", coordinates: a }],
  ["SRID=4326;POINT ZM (7.4 43.7 3 4)", { type: "Point", coordinates: a }],
  ["MULTIPOINT (7.4 43.7, -7.5 1e-7)", { type: "MultiPoint", coordinates: [a, b] }],
])("%s is read too", (text, geometry) => {
  expect(parseWkt(text)).toEqual(geometry);
});

test.each([
  "",
  "POINT EMPTY",
  "POINT (1)",
  "POINT (1 x)",
  "POINT (1 2, 3 4)",
  "POINT (1 2",
  "POINT (1 2) (3 4)",
  "LINESTRING ((1 2), (3 4))",
  "POLYGON (1 2, 3 4)",
  "CIRCLE (1 2)",
  "GEOMETRYCOLLECTION (POINT (1 2), nothing)",
])("%j is no geometry", (text) => {
  expect(parseWkt(text)).toBeUndefined();
});

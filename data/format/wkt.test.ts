import { expect, test } from "vitest";
import type { Geometry, Position } from "./geometry.ts";
import { parseWkt, writeWkt } from "./wkt.ts";

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
  "$type is read as written",
  (geometry) => {
    expect(parseWkt(writeWkt(geometry))).toEqual(geometry);
  },
);

test.each([
  ["point(7.4 43.7)", { type: "Point", coordinates: a }],
  ["SRID=4326;POINT ZM (7.4 43.7 3 4)", { type: "Point", coordinates: a }],
  ["POINTZ(7.4 43.7 3)", { type: "Point", coordinates: a }],
  ["MULTIPOINT (7.4 43.7, -7.5 1e-7)", { type: "MultiPoint", coordinates: [a, b] }],
  [
    "GEOMETRYCOLLECTION M (GEOMETRYCOLLECTION (POINT M (7.4 43.7 1)))",
    {
      type: "GeometryCollection",
      geometries: [{ type: "GeometryCollection", geometries: [{ type: "Point", coordinates: a }] }],
    },
  ],
])("%s is also read", (text, geometry) => {
  expect(parseWkt(text)).toEqual(geometry);
});

test.each([
  "",
  "POINT EMPTY",
  "POINT (1)",
  "POINT (1 x)",
  "POINT (0x10 1)",
  "POINT (1 2 z)",
  "POINT (1 Infinity)",
  "POINT Q (1 2)",
  "POINT ZZ (1 2)",
  "POINT (1 2, 3 4)",
  "POINT (1 2",
  "POINT (1 2) (3 4)",
  "LINESTRING ((1 2), (3 4))",
  "POLYGON (1 2, 3 4)",
  "CIRCLE (1 2)",
  "MULTIPOLYGON (1 2)",
  "GEOMETRYCOLLECTION (1 2)",
  "GEOMETRYCOLLECTION (POINT (1 2), nothing)",
  "GEOMETRYCOLLECTION (POINT (1 2), POINT EMPTY)",
])("%j is not a geometry", (text) => {
  expect(parseWkt(text)).toBeUndefined();
});

const nested = (depth: number) => `${"GEOMETRYCOLLECTION (".repeat(depth)}POINT (1 2)${")".repeat(depth)}`;

test("collections may be nested at most eight deep", () => {
  expect(parseWkt(nested(8))).toBeDefined();
  expect(parseWkt(nested(9))).toBeUndefined();
  expect(parseWkt(nested(100_000))).toBeUndefined();
});

/** Texts of a given length that start like a geometry. */
const HOSTILE: Readonly<Record<string, (length: number) => string>> = {
  "spaces after the kind": (length) => `POINT${" ".repeat(length)}x`,
  "spaces before it": (length) => `${" ".repeat(length)}x`,
  "spaces in a position": (length) => `POINT (1${" ".repeat(length)}x)`,
  letters: (length) => "POINTZ".repeat(length / 6),
  digits: (length) => `POINT (${"1".repeat(length)}x 2)`,
  "digits after SRID": (length) => `SRID=${"1".repeat(length)}x`,
  parentheses: (length) => `MULTIPOLYGON ${"(".repeat(length)}`,
  "numbers of one position": (length) => `POINT (${"1 ".repeat(length / 2)})`,
  "nested collections": (length) => nested(length / 20),
};

test.each(Object.entries(HOSTILE))("ten times as many %s take about ten times as long", (_, textOf) => {
  const timed = (length: number) => {
    const text = textOf(length);
    const times = Array.from({ length: 3 }, () => {
      const start = performance.now();
      parseWkt(text);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  timed(500);
  // Quadratic time would be a factor of a hundred. The constant allows for a busy machine.
  expect(timed(20_000)).toBeLessThan(40 * timed(2000) + 20);
});

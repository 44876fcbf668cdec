import { expect, test } from "vitest";
import { encodeGeohash } from "../../../data/format/geohash.ts";
import { type Geometry, readWkb } from "../../../data/format/geometry.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { figuresOf } from "./figures.ts";

const SQUARE = [
  [
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 0],
  ],
] as const;

const GEOMETRIES: readonly Geometry[] = [
  { type: "Point", coordinates: [7.4, 43.7] },
  {
    type: "LineString",
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  },
  { type: "Polygon", coordinates: SQUARE },
  {
    type: "MultiPoint",
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  },
  {
    type: "MultiLineString",
    coordinates: [
      [
        [0, 0],
        [1, 1],
      ],
      [
        [2, 2],
        [3, 3],
      ],
    ],
  },
  { type: "MultiPolygon", coordinates: [SQUARE, SQUARE] },
  {
    type: "GeometryCollection",
    geometries: [
      { type: "Point", coordinates: [1, 2] },
      { type: "MultiPoint", coordinates: [[3, 4]] },
    ],
  },
];

test.each(GEOMETRIES)("WKB of a $type reads back", (geometry) => {
  expect(readWkb(writeWkb(geometry))).toEqual(geometry);
});

test("plain WKB is stored unchanged, other forms are rewritten", () => {
  const plain = writeWkb({ type: "Point", coordinates: [7.4, 43.7] });
  expect(figuresOf(plain)).toMatchObject({ wkb: undefined, kind: "Point", bbox: [7.4, 43.7, 7.4, 43.7], sizeClass: 0 });
  expect(figuresOf(plain)).toMatchObject({ geohash: encodeGeohash(7.4, 43.7) });
  const withHeight = new DataView(new ArrayBuffer(29));
  withHeight.setUint32(1, 1001, false);
  for (const [i, value] of [7.4, 43.7, 120].entries()) withHeight.setFloat64(5 + 8 * i, value, false);
  expect(figuresOf(new Uint8Array(withHeight.buffer))).toMatchObject({ wkb: plain });
});

test.each(GEOMETRIES)("$type with other byte order, an SRID or extra bytes is rewritten", (geometry) => {
  const plain = writeWkb(geometry);
  expect(figuresOf(plain)).toMatchObject({ wkb: undefined });
  const withSrid = Uint8Array.from([...plain.subarray(0, 4), 0x20, 0xe6, 0x10, 0, 0, ...plain.subarray(5)]);
  for (const other of [writeWkb(geometry, false), withSrid, Uint8Array.from([...plain, 0])]) {
    expect(figuresOf(other)).toMatchObject({ wkb: plain });
  }
});

const wkb = (geometry: Geometry): Uint8Array => writeWkb(geometry);

test.each([
  ["null", null, "missing geometry"],
  ["an empty line", wkb({ type: "LineString", coordinates: [] }), "missing geometry"],
  ["an empty point", wkb({ type: "Point", coordinates: [Number.NaN, Number.NaN] }), "missing geometry"],
  ["no bytes", new Uint8Array(), "unreadable geometry"],
  ["half a point", wkb({ type: "Point", coordinates: [1, 2] }).slice(0, 12), "unreadable geometry"],
  ["longitude 600", wkb({ type: "Point", coordinates: [600, 2] }), "position out of range"],
  [
    "latitude -91",
    wkb({
      type: "LineString",
      coordinates: [
        [0, 0],
        [0, -91],
      ],
    }),
    "position out of range",
  ],
  ["infinity", wkb({ type: "Point", coordinates: [Number.POSITIVE_INFINITY, 2] }), "position out of range"],
  [
    "a NaN among positions",
    wkb({
      type: "LineString",
      coordinates: [
        [0, 0],
        [Number.NaN, 1],
        [1, 1],
      ],
    }),
    "position out of range",
  ],
])("%s is rejected", (_, bytes, reason) => {
  expect(figuresOf(bytes)).toMatchObject({ reason });
});

test.each([
  ["a rounding error beyond 180", [180.00000000000006, 1], [180, 1]],
  ["a rounding error beyond -90", [7, -90.000009], [7, -90]],
  ["a longitude of the next world", [190, 1], [-170, 1]],
])("%s is moved onto the globe", (_, coordinates, expected) => {
  const figures = figuresOf(wkb({ type: "Point", coordinates: coordinates as [number, number] }));
  if ("reason" in figures) throw new Error(figures.detail);
  expect(figures.point).toEqual(expected);
  expect(readWkb(figures.wkb ?? new Uint8Array())).toEqual({ type: "Point", coordinates: expected });
});

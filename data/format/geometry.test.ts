import { expect, test } from "vitest";
import { bboxOf, type Geometry, readWkb } from "./geometry.ts";
import { polygonContains, representativePoint } from "./representative-point.ts";

const point = (lon: number, lat: number) => {
  const bytes = new Uint8Array(21);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 1);
  view.setUint32(1, 1, true);
  view.setFloat64(5, lon, true);
  view.setFloat64(13, lat, true);
  return bytes;
};

test("reads a WKB point in both byte orders, and inside a longer buffer", () => {
  const big = new Uint8Array(21);
  const view = new DataView(big.buffer);
  view.setUint32(1, 1);
  view.setFloat64(5, 7.5);
  view.setFloat64(13, 43.7);
  expect(readWkb(big)).toEqual({ type: "Point", coordinates: [7.5, 43.7] });
  const padded = new Uint8Array(40);
  padded.set(point(1, 2), 9);
  expect(readWkb(padded.subarray(9, 30))).toEqual({ type: "Point", coordinates: [1, 2] });
});

test("ignores heights: ISO codes and EWKB flags", () => {
  for (const code of [1001, 0x80000001]) {
    const bytes = new Uint8Array(29);
    bytes.set(point(1, 2));
    new DataView(bytes.buffer).setUint32(1, code, true);
    expect(readWkb(bytes)).toEqual({ type: "Point", coordinates: [1, 2] });
  }
});

test("refuses WKB that is truncated, of an unknown kind or with an impossible count", () => {
  for (let length = 0; length < 21; length++) {
    expect(() => readWkb(point(1, 2).subarray(0, length))).toThrow("cut short");
  }
  const unknown = point(1, 2);
  unknown[1] = 99;
  expect(() => readWkb(unknown)).toThrow("kind 99");
  const line = new Uint8Array([1, 2, 0, 0, 0, 255, 255, 255, 255, 0, 0]);
  expect(() => readWkb(line)).toThrow("do not fit");
});

test("a geometry without positions has no box and no representative point", () => {
  const empty: Geometry = { type: "MultiPolygon", coordinates: [] };
  expect(bboxOf(empty)).toBeUndefined();
  expect(representativePoint(empty)).toBeUndefined();
});

test("the representative point is on the geometry", () => {
  const horseshoe: Geometry = {
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [8, 10],
        [8, 2],
        [2, 2],
        [2, 10],
        [0, 10],
        [0, 0],
      ],
    ],
  };
  const inside = representativePoint(horseshoe);
  expect(inside && polygonContains(horseshoe.coordinates, inside)).toBe(true);
  const ring: Geometry = {
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
        [0, 0],
      ],
      [
        [1, 1],
        [9, 1],
        [9, 9],
        [1, 9],
        [1, 1],
      ],
    ],
  };
  const beside = representativePoint(ring);
  expect(beside && polygonContains(ring.coordinates, beside)).toBe(true);
  expect(
    representativePoint({
      type: "LineString",
      coordinates: [
        [0, 0],
        [1, 0],
        [1, 3],
      ],
    }),
  ).toEqual([1, 1]);
  const square: Geometry = {
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [2, 0],
        [2, 2],
        [0, 2],
        [0, 0],
      ],
    ],
  };
  expect(representativePoint(square)).toEqual([1, 1]);
});

test("WKB collections may be nested at most eight deep", () => {
  const nested = (depth: number, kind: number) => {
    const head = [1, kind, 0, 0, 0, 1, 0, 0, 0];
    return Uint8Array.from([...Array.from({ length: depth }, () => head).flat(), ...point(1, 2)]);
  };
  expect(readWkb(nested(8, 7)).type).toBe("GeometryCollection");
  expect(() => readWkb(nested(9, 7))).toThrow("nested deeper than 8");
  expect(() => readWkb(nested(100_000, 7))).toThrow("nested deeper than 8");
  expect(() => readWkb(nested(100_000, 4))).toThrow("nested deeper than 8");
});

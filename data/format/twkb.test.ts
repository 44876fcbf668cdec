import fc from "fast-check";
import { expect, test } from "vitest";
import type { Geometry, Position } from "./geometry.ts";
import { writeTwkb } from "./twkb.ts";
import { createPathReader } from "./wkb-paths.ts";
import { writeWkb } from "./write-wkb.ts";

function pathsOf(bytes: Uint8Array): unknown[] {
  const paths: unknown[] = [];
  createPathReader((kind, coordinates, count) => paths.push([kind, ...coordinates.subarray(0, 2 * count)]))(bytes);
  return paths;
}

const whole = (most: number) => fc.integer({ min: -most * 1e7, max: most * 1e7 }).map((value) => value / 1e7);
const position: fc.Arbitrary<Position> = fc.tuple(whole(180), whole(90));
const line = fc.array(position, { maxLength: 6 });
const rings = fc.array(line, { maxLength: 3 });
const simple: fc.Arbitrary<Geometry> = fc.oneof(
  position.map((coordinates): Geometry => ({ type: "Point", coordinates })),
  line.map((coordinates): Geometry => ({ type: "LineString", coordinates })),
  rings.map((coordinates): Geometry => ({ type: "Polygon", coordinates })),
  line.map((coordinates): Geometry => ({ type: "MultiPoint", coordinates })),
  rings.map((coordinates): Geometry => ({ type: "MultiLineString", coordinates })),
  fc.array(rings, { maxLength: 3 }).map((coordinates): Geometry => ({ type: "MultiPolygon", coordinates })),
);
const geometry = fc.oneof(
  simple,
  fc.array(simple, { maxLength: 3 }).map((geometries): Geometry => ({ type: "GeometryCollection", geometries })),
);

test("TWKB has exactly the positions of WKB", () => {
  fc.assert(
    fc.property(geometry, (value) => {
      const tiny = writeTwkb(value);
      expect(tiny).toBeDefined();
      expect(pathsOf(tiny as Uint8Array)).toEqual(pathsOf(writeWkb(value)));
    }),
    { numRuns: 2000 },
  );
});

test("a coordinate with more decimals is refused, and so is -0, which integers lack", () => {
  for (const lon of [7.123456789, 1 / 3, 1e-8, -0]) {
    expect(writeTwkb({ type: "Point", coordinates: [lon, 0] })).toBeUndefined();
  }
});

test("a position takes a few bytes, as in the specification", () => {
  expect(writeTwkb({ type: "Point", coordinates: [0.0000001, -0.0000001] })).toEqual(Uint8Array.of(0xe1, 0, 2, 1));
});

test("refuses TWKB that is truncated, has an impossible count or another precision", () => {
  const bytes = writeTwkb({
    type: "LineString",
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  }) as Uint8Array;
  for (let length = 1; length < bytes.length; length++) {
    expect(() => pathsOf(bytes.subarray(0, length))).toThrow("cut short");
  }
  expect(() => pathsOf(Uint8Array.of(0xe2, 0, 0xff, 0xff, 0x7f))).toThrow("cut short");
  expect(() => pathsOf(Uint8Array.of(0xa2, 0, 1, 2, 2))).toThrow("precision 10");
  expect(() => pathsOf(Uint8Array.of(0xe8, 0))).toThrow("kind 8");
});

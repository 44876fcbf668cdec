import fc from "fast-check";
import { expect, test } from "vitest";
import { FINE_POINT, writeShort } from "./fine-point.ts";
import { readStoredGeometry } from "./stored-geometry.ts";
import { writeTwkb } from "./twkb.ts";
import { createPathReader } from "./wkb-paths.ts";

const whole = (most: number) => fc.integer({ min: -most * 1e8, max: most * 1e8 }).map((value) => value / 1e8);

function positionsOf(bytes: Uint8Array): number[] {
  const found: number[] = [];
  createPathReader((kind, coordinates, count) => {
    expect([kind, count]).toEqual(["point", 1]);
    found.push(...coordinates.subarray(0, 2));
  })(bytes);
  return found;
}

test("points with eight decimals are read back to the bit", () => {
  fc.assert(
    fc.property(fc.tuple(whole(180), whole(90)), (coordinates) => {
      const geometry = { type: "Point" as const, coordinates };
      const short = writeShort(geometry) as Uint8Array;
      expect(short.length).toBeLessThanOrEqual(12);
      expect(readStoredGeometry(short)).toEqual(geometry);
      expect(positionsOf(short)).toEqual(coordinates);
    }),
    { numRuns: 5000 },
  );
});

test("seven decimals are TWKB, eight are a fine point, and more are neither", () => {
  const at = (lon: number, lat: number) => ({ type: "Point" as const, coordinates: [lon, lat] as [number, number] });
  expect(writeShort(at(7.1234567, -43.5))).toEqual(writeTwkb(at(7.1234567, -43.5)));
  expect(writeShort(at(-105.29539809, 40.00600887))?.[0]).toBe(FINE_POINT);
  expect(writeShort(at(1e-8, -1e-8))).toEqual(Uint8Array.of(FINE_POINT, 0, 1, 19));
  for (const lon of [7.123456789, 1 / 3, -0]) expect(writeShort(at(lon, 1e-8))).toBeUndefined();
  expect(writeShort({ type: "MultiPoint", coordinates: [[1e-8, 0]] })).toBeUndefined();
});

test("a fine point that is cut short, too long or has impossible digits is refused", () => {
  const bytes = writeShort({ type: "Point", coordinates: [-105.29539809, 40.00600887] }) as Uint8Array;
  for (let length = 1; length < bytes.length; length++) {
    expect(() => readStoredGeometry(bytes.subarray(0, length))).toThrow("end");
    expect(() => positionsOf(bytes.subarray(0, length))).toThrow("end");
  }
  expect(() => readStoredGeometry(Uint8Array.of(...bytes, 0))).toThrow("1 more bytes");
  expect(() => readStoredGeometry(Uint8Array.of(FINE_POINT, 0, 0, 100))).toThrow("digits 100");
});

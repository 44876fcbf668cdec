import { expect, test } from "vitest";
import { cellSize, commonBits, encodeGeohash, GEOHASH_BITS, sizeClassOf, spellGeohash } from "./geohash.ts";

test.each([
  // From https://en.wikipedia.org/wiki/Geohash and geohash.org.
  [10.40744, 57.64911, "u4pruydqqv"],
  [-5.6, 42.6, "ezs42"],
  [-0.1276, 51.5072, "gcpvj0"],
  [180, 90, "zzzzzzzzzz"],
  [-180, -90, "0000000000"],
  [0, 0, "s000000000"],
])("encodes %d, %d as %s", (lon, lat, text) => {
  expect(spellGeohash(encodeGeohash(lon, lat), GEOHASH_BITS).slice(0, text.length)).toBe(text);
});

test("fewer bits than one character are written as -", () => {
  expect(spellGeohash(encodeGeohash(10, 50), 4)).toBe("-");
});

test("common bits equal those of the binary texts", () => {
  const binary = (n: number) => n.toString(2).padStart(GEOHASH_BITS, "0");
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (let i = 0; i < 500; i++) {
    const a = encodeGeohash(random() * 360 - 180, random() * 180 - 90);
    const b = i % 2 ? a + Math.floor(random() * 1000) : encodeGeohash(random() * 360 - 180, random() * 180 - 90);
    let shared = 0;
    while (shared < GEOHASH_BITS && binary(a)[shared] === binary(b)[shared]) shared++;
    expect(commonBits(a, b)).toBe(shared);
  }
});

test("a feature is not larger than the cell of its size class", () => {
  expect(sizeClassOf([7.42, 43.73, 7.42, 43.73])).toBe(0);
  expect(sizeClassOf([7.42, 43.73, 7.43, 43.735])).toBe(0);
  expect(sizeClassOf([7.42, 43.73, 7.44, 43.731])).toBe(1);
  expect(sizeClassOf([5, 40, 8, 42])).toBe(2);
  expect(sizeClassOf([-180, 18, 180, 71])).toBe(3);
  expect(sizeClassOf([179.999, 0, -179.999, 0.001])).toBe(0);
});

test("cells halve longitude and latitude alternately, longitude first", () => {
  expect(cellSize(0)).toEqual({ widthDeg: 360, heightDeg: 180 });
  expect(cellSize(1)).toEqual({ widthDeg: 180, heightDeg: 180 });
  expect(cellSize(2)).toEqual({ widthDeg: 180, heightDeg: 90 });
});

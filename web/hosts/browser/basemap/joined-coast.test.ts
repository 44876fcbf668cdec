import { expect, test } from "vitest";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { Position } from "../../../../data/format/geometry.ts";
import { kindAt, type Line, landAndSea } from "./coast.ts";
import { joinCoasts } from "./joined-coast.ts";

const KNOWN: BBox = [-4, -4, 4, 4];
const LENGTHS = { known: KNOWN, least: 0.5, most: 2 };
/** Land is on its left. */
const eastward = (lat: number, from: number, to: number): Line => {
  const steps = Math.round((to - from) * 10);
  return Array.from({ length: steps + 1 }, (_, i): Position => [from + ((to - from) * i) / steps, lat]);
};
const COARSE = eastward(0, -5, 5);

const joined = (fine: readonly Line[], coarse: readonly Line[] = [COARSE]) => {
  const chains = joinCoasts(fine, coarse, LENGTHS);
  return chains && landAndSea({ chains }, [-3.9, -3.9, 3.9, 3.9]);
};

test.each([-0.4, 0.4])(
  "a detailed coast at %d decides between its ends, and a curve leads to the coarse coast",
  (lat) => {
    const ground = joined([eastward(lat, -1, 1)]) ?? [];
    for (const x of [-1, -0.5, 0.5, 1]) {
      expect(kindAt(ground, [x, lat + 0.02])).toBe("land");
      expect(kindAt(ground, [x, lat - 0.02])).toBe("sea");
    }
    // beyond the curve the coarse coast decides
    for (const x of [-3.5, -2.3, 2.3, 3.5]) {
      expect(kindAt(ground, [x, 0.02])).toBe("land");
      expect(kindAt(ground, [x, -0.02])).toBe("sea");
    }
    // no step: between two columns the coast moves by a fraction of the gap
    const coastAt = (x: number) => {
      for (let y = -1; y < 1; y += 0.005) if (kindAt(ground, [x, y]) === "land") return y;
      return 1;
    };
    for (let x = -2.5; x < 2.5; x += 0.05) {
      expect(Math.abs(coastAt(x + 0.05) - coastAt(x)), `at ${x}`).toBeLessThan(0.1);
    }
  },
);

test("islands of the detailed coast are added, and coarse islands inside of it are left out", () => {
  const square = (x: number, y: number): Line => [
    [x, y],
    [x + 0.2, y],
    [x + 0.2, y + 0.2],
    [x, y + 0.2],
    [x, y],
  ];
  const fine = [[...eastward(-0.4, -1, 0), ...eastward(-0.2, 0, 1)], square(0.1, -0.9)];
  const ground = joined(fine, [COARSE, square(-0.8, -0.8), square(2.5, -2)]) ?? [];
  expect(kindAt(ground, [0.2, -0.8])).toBe("land");
  expect(kindAt(ground, [-0.7, -0.7])).toBe("sea");
  expect(kindAt(ground, [2.6, -1.9])).toBe("land");
});

test("two detailed coasts on one coarse line are connected with each other if they are near", () => {
  const ground = joined([eastward(0.3, -1.5, -0.3), eastward(0.4, 0.3, 1.5)]) ?? [];
  expect(kindAt(ground, [0, 0.1])).toBe("sea");
  expect(kindAt(ground, [0, 0.6])).toBe("land");
});

test("a detailed coast that leaves the box replaces the rest of the coarse coast", () => {
  const ground = joined([eastward(0.5, 0, 5)]) ?? [];
  expect(kindAt(ground, [3.8, 0.25])).toBe("sea");
  expect(kindAt(ground, [-3.8, 0.25])).toBe("land");
});

test("a part of a coarse island is replaced too", () => {
  const island = (size: number): Position[] =>
    Array.from({ length: 41 }, (_, i): Position => {
      const angle = (2 * Math.PI * (i % 40)) / 40;
      return [size * Math.cos(angle), size * Math.sin(angle)];
    });
  // its east side, from south to north, across the start of the coarse ring
  const fine = [...island(2.3).slice(36, 40), ...island(2.3).slice(0, 5)];
  const ground = joined([fine], [island(2)]) ?? [];
  expect(kindAt(ground, [2.2, 0])).toBe("land");
  expect(kindAt(ground, [-2.2, 0])).toBe("sea");
  expect(kindAt(ground, [-1.9, 0])).toBe("land");
});

test.each<{ name: string; fine: Line[]; coarse: Line[] }>([
  { name: "without a coarse coast", fine: [eastward(0.4, -1, 1)], coarse: [] },
  { name: "with land on different sides", fine: [eastward(0.4, -1, 1).toReversed()], coarse: [COARSE] },
  { name: "with a coarse coast that ends", fine: [eastward(0.4, -1, 1)], coarse: [eastward(0, -5, 2)] },
  { name: "that overlap", fine: [eastward(0.4, -1, 1), eastward(0.3, 0, 2)], coarse: [COARSE] },
])("lines $name are not joined", ({ fine, coarse }) => {
  expect(joined(fine, coarse)).toBeUndefined();
});

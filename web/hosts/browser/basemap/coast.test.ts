import { describe, expect, test } from "vitest";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { Position } from "../../../../data/format/geometry.ts";
import { polygonContains } from "../../../../data/format/representative-point.ts";
import { coastOf, kindAt, type Line, landAndSea } from "./coast.ts";

const WORLD: BBox = [-10, -10, 10, 10];

/** Fills the part of the box that the coastlines decide. */
function filled(lines: readonly Line[], box: BBox, around: Parameters<typeof coastOf>[1]) {
  const coast = coastOf(lines, around);
  return coast ? landAndSea(coast, box) : [];
}

function star(points: number): Line {
  const ring = Array.from({ length: points }, (_, i): Position => {
    const angle = (2 * Math.PI * i) / points;
    const radius = i % 2 === 0 ? 5 : 2.6;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return [...ring, ring[0] as Position];
}

const GRID = [0.7, 1.75, 7, 14].flatMap((side) => {
  const steps = Math.round(14 / side);
  return Array.from({ length: steps * steps }, (_, i): BBox => {
    const [west, south] = [-7 + (i % steps) * side, -7 + Math.floor(i / steps) * side];
    return [west, south, west + side, south + side];
  });
});

describe("land and sea", () => {
  test.each([
    { name: "an island", coast: star(14), isLandInside: true },
    { name: "a lake of the sea", coast: star(14).toReversed(), isLandInside: false },
  ])("of $name match the polygon in every box", ({ coast, isLandInside }) => {
    // Three lines out of order, as in a dataset.
    const lines = [coast.slice(9), coast.slice(0, 5), coast.slice(4, 10)];
    let checked = 0;
    for (const box of GRID) {
      const ground = filled(lines, box, { known: WORLD });
      const [west, south, east, north] = box;
      for (const [across, up] of [
        [0.13, 0.27],
        [0.51, 0.49],
        [0.88, 0.31],
        [0.29, 0.93],
      ] as const) {
        const position: Position = [west + across * (east - west), south + up * (north - south)];
        const isLand = polygonContains([coast], position) === isLandInside;
        expect(kindAt(ground, position), `${position} in ${box}`).toBe(isLand ? "land" : "sea");
        checked += 1;
      }
    }
    expect(checked).toBe(4 * GRID.length);
  });

  test("are drawn in every box within the bbox of the coastlines when the data ends there", () => {
    const eastward: Line = [
      [-1, -0.1],
      [0, 0],
      [1, -0.1],
    ];
    const islet: Line = star(14).map(([x, y]) => [x / 20, y / 20 - 0.6]);
    for (const box of GRID.map((each) => each.map((side) => side / 5) as unknown as BBox)) {
      const ground = filled([eastward, islet], box, { known: [-2, -2, 2, 2] });
      const [west, south, east, north] = box;
      const position: Position = [west + 0.31 * (east - west), south + 0.47 * (north - south)];
      const [x, y] = position;
      const isKnown = Math.abs(x) < 1 && y < 0 && y > Math.min(...islet.map(([, up]) => up));
      const isLand = y > -0.1 * Math.abs(x) || polygonContains([islet], position);
      expect(kindAt(ground, position), `${position} in ${box}`).toBe(isKnown ? (isLand ? "land" : "sea") : undefined);
    }
    // everything is known where a line only leaves the box
    expect(filled([eastward], [-0.5, -0.5, 0.5, 0.5], { known: [-0.9, -0.9, 0.9, 0.9] })).not.toEqual([]);
  });

  test("are decided a little outside that bbox where the dataset has rows, at most as far as the reach", () => {
    const eastward: Line = [
      [-1, 0],
      [1, 0],
    ];
    const ground = filled([eastward], [-9, -9, 9, 9], {
      known: [-9, -9, 9, 9],
      rows: [
        [1, -0.4, 8, 0.4],
        [-1, 5, 1, 6],
      ],
      reach: 0.5,
    });
    expect(kindAt(ground, [1.4, 0.3])).toBe("land");
    expect(kindAt(ground, [1.4, -0.3])).toBe("sea");
    expect(kindAt(ground, [1.6, 0.3])).toBeUndefined();
    expect(kindAt(ground, [-1.4, 0.3])).toBeUndefined();
  });

  test("are unknown without a coastline", () => {
    expect(filled([], [0, 0, 1, 1], { known: WORLD })).toEqual([]);
  });
});

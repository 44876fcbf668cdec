import { describe, expect, test } from "vitest";
import { type Area, AreaTooLargeError } from "./area.ts";
import { createAreaTest } from "./area-test.ts";
import { makeSlabs, sideOf } from "./edge-slabs.ts";
import { crossesEdge } from "./even-odd.ts";
import type { Position } from "./geometry.ts";
import { writeWkb } from "./write-wkb.ts";

type Ring = readonly Position[];

/** Reproducible pseudo-random numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const closed = (ring: Ring): Ring => [...ring, ...ring.slice(0, 1)];

/** Rings within 10 degrees of the origin. */
const SHAPES: Readonly<Record<string, (corners: number) => Ring>> = {
  "a coast": (corners) => {
    const random = randomFrom(corners);
    const at = (i: number): Position => {
      const [angle, reach] = [(2 * Math.PI * i) / corners, 8 + 2 * random()];
      return [reach * Math.cos(angle), reach * Math.sin(angle)];
    };
    return closed(Array.from({ length: corners }, (_, i) => at(i)));
  },
  "a zigzag": (corners) => zigzag(corners, () => 0),
  "a zigzag of many heights": (corners) => zigzag(corners, randomFrom(corners)),
  "slanted lines": (corners) => {
    const at = (i: number): Position => (i % 2 === 0 ? [-9 + (8 * i) / corners, -9] : [1 + (8 * i) / corners, 9]);
    return closed([...Array.from({ length: corners - 2 }, (_, i) => at(i)), [9, -9.5], [-9, -9.5]]);
  },
  "steps of a grid": (corners) => {
    const size = 18 / corners;
    const at = (i: number): Position => [-9 + size * Math.ceil(i / 2), -9 + size * Math.floor(i / 2)];
    return closed([...Array.from({ length: corners - 1 }, (_, i) => at(i)), [-9, 9]]);
  },
};

function zigzag(corners: number, random: () => number): Ring {
  const at = (i: number): Position => [-9 + (18 * i) / corners, (i % 2 === 0 ? -9 : 7) + 2 * random()];
  return closed([...Array.from({ length: corners - 2 }, (_, i) => at(i)), [9, -9.5], [-9, -9.5]]);
}

/** Intersects itself at almost every edge. */
function scribble(corners: number): Ring {
  const random = randomFrom(corners);
  return closed(Array.from({ length: corners }, (): Position => [18 * random() - 9, 18 * random() - 9]));
}

function edgesOf(ring: Ring): Float64Array {
  return Float64Array.from(ring.slice(1).flatMap(([lon, lat], i) => [...(ring[i] as Position), lon, lat]));
}

/** Random positions, corners, and positions at the latitude of a corner. */
function positionsNear(ring: Ring, count: number): Position[] {
  const random = randomFrom(ring.length + count);
  return Array.from({ length: count }, (_, i): Position => {
    const [lon, lat] = ring[Math.floor(random() * ring.length)] as Position;
    if (i % 4 === 0) return [lon, lat];
    return [20 * random() - 10, i % 4 === 1 ? lat : 20 * random() - 10];
  });
}

/** A plain loop. */
function plainSideOf(edges: Float64Array, [lon, lat]: Position): string {
  let isInside = false;
  for (let i = 0; i < edges.length; i += 4) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = edges.subarray(i, i + 4);
    const isBeside =
      lon < Math.min(x1, x2) || lon > Math.max(x1, x2) || lat < Math.min(y1, y2) || lat > Math.max(y1, y2);
    if (!isBeside && (x2 - x1) * (lat - y1) === (y2 - y1) * (lon - x1)) return "edge";
    if (crossesEdge(lon, lat, x1, y1, x2, y2)) isInside = !isInside;
  }
  return isInside ? "inside" : "outside";
}

const slabsOf = (edges: Float64Array) => makeSlabs({ edges, start: 0, end: edges.length / 4 });

describe("the side of a position equals the result of a plain loop", () => {
  const shapes = [...Object.entries(SHAPES), ["a line that crosses itself", scribble] as const];
  test.each(shapes)("%s", (_, shape) => {
    for (const corners of [4, 9, 60, 700]) {
      const ring = shape(corners);
      const edges = edgesOf(ring);
      const slabs = slabsOf(edges);
      for (const [lon, lat] of positionsNear(ring, 400)) {
        expect(sideOf(slabs, lon, lat), `${corners} corners, ${lon} ${lat}`).toBe(plainSideOf(edges, [lon, lat]));
      }
    }
  });

  test("positions on few latitudes and longitudes", () => {
    const random = randomFrom(5);
    const whole = () => Math.floor(random() * 6);
    for (let i = 0; i < 200; i++) {
      const edges = edgesOf(closed(Array.from({ length: 3 + (i % 40) }, (): Position => [whole(), whole()])));
      const slabs = slabsOf(edges);
      for (let x = -0.5; x <= 6; x += 0.5) {
        for (let y = -0.5; y <= 6; y += 0.5) expect(sideOf(slabs, x, y)).toBe(plainSideOf(edges, [x, y]));
      }
    }
  });
});

describe("work and memory grow linearly with the corners of an area", () => {
  const SIZES = [1000, 8000, 64_000];

  test.each(Object.entries(SHAPES))("%s", (_, shape) => {
    for (const corners of SIZES) {
      const ring = shape(corners);
      const edges = edgesOf(ring);
      const slabs = slabsOf(edges);
      expect(slabs.items.length / corners).toBeLessThan(Math.log2(corners));

      const work = { comparisons: 0, most: Number.POSITIVE_INFINITY };
      const area: Area = { type: "Polygon", coordinates: [ring] };
      const { contains, reaches, intersects } = createAreaTest(area, work);
      const positions = positionsNear(ring, 2000).filter((__, i) => i % 4 > 1);
      const askAll = () => {
        for (const [lon, lat] of positions) contains(lon, lat);
      };
      askAll();
      // The index is made at first use.
      expect(work.comparisons).toBeLessThan((8 * corners + 32 * positions.length) * Math.log2(corners));
      work.comparisons = 0;
      askAll();
      expect(work.comparisons / positions.length).toBeLessThan(32 * Math.log2(corners));
      // Boxes of slanted lines prune little. There the bound of all work applies.
      if (shape === SHAPES["slanted lines"]) continue;
      work.comparisons = 0;
      for (const [lon, lat] of positions) {
        const end: Position = [lon + 1e-5, lat];
        reaches([lon, lat, lon + 1e-5, lat + 1e-5]);
        intersects(writeWkb({ type: "LineString", coordinates: [[lon, lat], end] }));
      }
      expect(work.comparisons / positions.length).toBeLessThan(80 * Math.log2(corners));
    }
  });

  test("a position costs no more in an area of many polygons than in one of them", () => {
    const random = randomFrom(3);
    const square = (): Position[] => {
      const [x, y] = [18 * random() - 9, 18 * random() - 9];
      return [
        [x, y],
        [x + 1e-3, y],
        [x + 1e-3, y + 1e-3],
        [x, y + 1e-3],
        [x, y],
      ];
    };
    const work = { comparisons: 0, most: Number.POSITIVE_INFINITY };
    const coordinates = Array.from({ length: 20_000 }, () => [square()]);
    const { contains } = createAreaTest({ type: "MultiPolygon", coordinates }, work);
    for (const [[[lon = 0, lat = 0] = []] = []] of coordinates.slice(0, 500)) {
      expect(contains(lon + 5e-4, lat + 5e-4)).toBe(true);
    }
    expect(work.comparisons).toBeLessThan(500 * 16);
  });
});

test("an area that takes too long is refused with its number of edges", () => {
  const work = { comparisons: 0, most: 500_000 };
  const { contains } = createAreaTest({ type: "Polygon", coordinates: [scribble(5000)] }, work);
  const askAll = () => {
    for (let i = 0; i < 1000; i++) contains(9 - i / 100, i / 200);
  };
  expect(askAll).toThrow(AreaTooLargeError);
  expect(askAll).toThrow(
    "an area of 5000 edges takes more than 500000 comparisons: simplify its outline, or search in a part of it",
  );
  expect(work.comparisons).toBeLessThan(work.most + 20_000);
});

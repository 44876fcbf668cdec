import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { nearestInBBox } from "./bbox-distance.ts";
import { bytesEqual } from "./bytes.ts";
import { cutGeometry, LONG_GEOMETRY_BYTES } from "./cut-geometry.ts";
import { createDistanceMeter } from "./distance.ts";
import type { Geometry, Position } from "./geometry.ts";
import { boxOfPart, isPartTable, partsIn, readPartTable } from "./geometry-parts.ts";
import { joinParts } from "./joined-parts.ts";
import { writeGroup } from "./records.ts";
import { originAt } from "./sphere.ts";
import { writeTwkb } from "./twkb.ts";

const sizeOf = (geometry: Uint8Array): number =>
  writeGroup([{ json: new Uint8Array(), geometry }], (bytes) => deflateRawSync(bytes)).length;

/** Reproducible numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const at7 = (degrees: number): number => Math.round(degrees * 1e7) / 1e7 + 0;

interface Ring {
  readonly lon: number;
  readonly lat: number;
  readonly size: number;
  readonly vertices: number;
}

/** A closed ring with a rough edge. */
function ringOf({ lon, lat, size, vertices }: Ring, random: () => number): Position[] {
  const ring = Array.from({ length: vertices }, (_, index): Position => {
    const angle = (2 * Math.PI * index) / vertices;
    const reach = size * (0.7 + 0.3 * random());
    return [at7(lon + reach * Math.cos(angle)), at7(lat + reach * Math.sin(angle))];
  });
  return [...ring, ring[0] as Position];
}

const random = randomOf(7);
const coast = ringOf({ lon: 10, lat: 50, size: 4, vertices: 6000 }, random);
const lake = ringOf({ lon: 9, lat: 50, size: 1, vertices: 3000 }, random);
const ponds = Array.from({ length: 40 }, (_, index) =>
  ringOf({ lon: 11 + (index % 8) / 10, lat: 49 + index / 40, size: 0.03, vertices: 20 }, random),
);
const islands = Array.from({ length: 90 }, (_, index): Position[][] => [
  ringOf({ lon: 15 + (index % 10) / 2, lat: 46 + index / 12, size: 0.2, vertices: 30 }, random),
  ...(index % 3 === 0
    ? [ringOf({ lon: 15 + (index % 10) / 2, lat: 46 + index / 12, size: 0.05, vertices: 12 }, random)]
    : []),
]);
const shore = ringOf({ lon: -179.9, lat: -16, size: 2, vertices: 2500 }, random).map(
  ([lon, lat]): Position => [Math.max(-180, lon), lat],
);

const GEOMETRIES: Readonly<Record<string, Geometry>> = {
  "a polygon with a large hole": { type: "Polygon", coordinates: [coast, lake] },
  "a polygon with small holes": { type: "Polygon", coordinates: [coast, ...ponds] },
  "polygons, small ones first": { type: "MultiPolygon", coordinates: [...islands, [coast, lake, ...ponds]] },
  "polygons, small ones last": { type: "MultiPolygon", coordinates: [[coast, ...ponds, lake], ...islands] },
  "a polygon at the antimeridian": { type: "Polygon", coordinates: [shore] },
  "a line": { type: "LineString", coordinates: coast.slice(0, 4000) },
  lines: { type: "MultiLineString", coordinates: [lake, ...ponds, coast.slice(100, 3000), ...ponds] },
};

describe.each(Object.entries(GEOMETRIES))("%s", (_, geometry) => {
  const twkb = writeTwkb(geometry) as Uint8Array;
  const cut = async () => {
    const made = await cutGeometry(twkb, sizeOf);
    if (!made) throw new Error("the geometry was not cut");
    return { ...made, read: readPartTable(made.table) };
  };

  test("all parts are the geometry, and each fits a block", async () => {
    const { table, parts, read } = await cut();
    expect(isPartTable(table)).toBe(true);
    expect(partsIn(table)).toBe(parts.length);
    expect(parts.length).toBeGreaterThan(1);
    expect(Math.max(...parts.map(sizeOf))).toBeLessThanOrEqual(2036);
    expect(table.length).toBeLessThan(twkb.length / 50);
    expect(
      bytesEqual(
        joinParts(read, (part) => parts[part]),
        twkb,
      ),
    ).toBe(true);
  });

  test("near parts alone give the same distance, also inside and in holes", async () => {
    const { parts, read } = await cut();
    const at = randomOf(11);
    let [inside, readParts] = [0, 0];
    const positions = Array.from({ length: 300 }, () => [4 + 18 * at(), 44 + 12 * at()] as const);
    if (geometry.type === "Polygon" && geometry.coordinates[0] === shore)
      positions.push([180, -16], [-180, -16.5], [179.5, -16], [-179.9, -16], [-178.5, -15]);
    for (const [lon, lat] of positions) {
      const origin = originAt(lon, lat);
      const meters = createDistanceMeter(origin)(twkb);
      for (const radius of [0, 1_000, 30_000]) {
        const near = read.parts.map((part) => nearestInBBox(origin, boxOfPart(part)) <= radius + 0.001);
        const reduced = joinParts(read, (part) => (near[part] ? parts[part] : undefined));
        readParts += near.filter(Boolean).length / near.length;
        const found = createDistanceMeter(origin)(reduced);
        if (meters <= radius) expect(found).toBe(meters);
        else expect(found).toBeGreaterThan(radius);
      }
      if (meters === 0) inside++;
    }
    expect(readParts / (3 * positions.length)).toBeLessThan(0.5);
    if (geometry.type.includes("Polygon")) expect(inside).toBeGreaterThan(0);
  });
});

test("short geometries, other kinds and open rings are not cut", async () => {
  const [first, ...others] = coast;
  const open: Geometry = { type: "Polygon", coordinates: [[first as Position, ...others.slice(0, -1)]] };
  const points: Geometry = { type: "MultiPoint", coordinates: coast };
  const short: Geometry = { type: "LineString", coordinates: coast.slice(0, 20) };
  for (const geometry of [open, points, short])
    expect(await cutGeometry(writeTwkb(geometry) as Uint8Array, sizeOf)).toBeUndefined();
  const wkb = new Uint8Array(2 * LONG_GEOMETRY_BYTES).fill(1, 0, 1);
  expect(await cutGeometry(wkb, sizeOf)).toBeUndefined();
});

test("a damaged table is an error", async () => {
  const { table } = (await cutGeometry(writeTwkb(GEOMETRIES.lines as Geometry) as Uint8Array, sizeOf)) ?? {};
  if (!table) throw new Error("the geometry was not cut");
  expect(() => readPartTable(table.subarray(0, table.length - 1))).toThrow("bytes end");
  const many = Uint8Array.of(...table.subarray(0, 10), 0x80, 0x80, 0x80, 1);
  expect(() => readPartTable(many)).toThrow("2097152 parts, expected at most 65536");
});

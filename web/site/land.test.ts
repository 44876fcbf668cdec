import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { polygonContains } from "../../data/format/representative-point.ts";
import { LAND_FILE } from "./land.ts";

const UNITS = 2048;
const MAX_BYTES = 20 * 1024;

let file: Uint8Array;
let rings: [number, number][][];
beforeAll(async () => {
  file = await LAND_FILE.make(await Promise.all(LAND_FILE.inputs.map((path) => readFile(path))));
  const path = JSON.parse(new TextDecoder().decode(file)) as string;
  rings = path.split("z").filter(Boolean).map(pointsOf);
});

/** Points of `M x y l dx dy ..`, closed. */
function pointsOf(ring: string): [number, number][] {
  const numbers = (ring.match(/-?\d+/g) ?? []).map(Number);
  let [x, y] = [0, 0];
  const points: [number, number][] = [];
  for (let at = 0; at < numbers.length; at += 2) {
    [x, y] = [x + (numbers[at] ?? 0), y + (numbers[at + 1] ?? 0)];
    points.push([x, y]);
  }
  return [...points, points[0] ?? [0, 0]];
}

/** Even-odd, as the rings of lakes in land have the opposite direction. */
function isLand(lon: number, lat: number): boolean {
  const sin = Math.sin((lat * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI);
  const at: [number, number] = [(lon / 360 + 0.5) * UNITS, y * UNITS];
  return rings.filter((ring) => polygonContains([ring], at)).length % 2 === 1;
}

test("the outline of land has at most 20 KB", () => {
  expect(file.byteLength).toBeLessThanOrEqual(MAX_BYTES);
  expect(rings.length).toBeGreaterThan(100);
});

test.each([
  { name: "Boulder", lon: -105.27, lat: 40.02, expected: true },
  { name: "Nairobi", lon: 36.8, lat: -1.3, expected: true },
  { name: "Alice Springs", lon: 133.9, lat: -23.7, expected: true },
  { name: "Antarctica", lon: 0, lat: -80, expected: true },
  { name: "Iceland", lon: -18.5, lat: 65, expected: true },
  { name: "the Atlantic", lon: -40, lat: 30, expected: false },
  { name: "the Black Sea", lon: 34, lat: 43.3, expected: false },
  { name: "the Tasman Sea", lon: 160, lat: -38, expected: false },
])("$name is land: $expected", ({ lon, lat, expected }) => {
  expect(isLand(lon, lat)).toBe(expected);
});

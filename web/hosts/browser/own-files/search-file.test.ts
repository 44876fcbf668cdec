import { expect, test } from "vitest";
import { createAreaTest } from "../../../../data/format/area-test.ts";
import { createDistanceMeter } from "../../../../data/format/distance.ts";
import { queryTermsOf, termsOf } from "../../../../data/format/fold.ts";
import type { Geometry, Position } from "../../../../data/format/geometry.ts";
import { originAt, roundToMillimeter } from "../../../../data/format/sphere.ts";
import { writeWkb } from "../../../../data/format/write-wkb.ts";
import { randomFrom } from "../../../engine/testing/random.ts";
import { areaOf } from "../../../map/drawn-area.ts";
import type { FileRow } from "./read-file.ts";
import { createFileSearch } from "./search-file.ts";

const random = randomFrom(20261121);
const WORDS = ["Port", "Café", "Straße", "Łódź", "東京駅", "el-Souk"];
const near = (): Position => [random.between(-1, 1), random.between(-1, 1)];
const rows: readonly FileRow[] = Array.from({ length: 600 }, (_, i) => {
  const geometry: Geometry =
    i % 3 === 0
      ? { type: "LineString", coordinates: [near(), near()] }
      : i % 3 === 1
        ? { type: "Point", coordinates: near() }
        : { type: "Polygon", coordinates: [triangle()] };
  return { geometry, properties: { name: `${random.of(WORDS)} ${i}` } };
});
const file = createFileSearch(rows);

function triangle(): Position[] {
  const [a, b, c] = [near(), near(), near()];
  return [a, b, c, a];
}

const prefixes = (name: string) => queryTermsOf(name).map((word) => [`name:${word}`]);

/** A plain loop that measures every row and splits every name. */
function bruteForce(keep: (row: FileRow) => boolean, from?: { lon: number; lat: number }): number[] {
  const meters = rows.map(({ geometry }) =>
    from ? roundToMillimeter(createDistanceMeter(originAt(from.lon, from.lat))(writeWkb(geometry))) : 0,
  );
  return rows
    .flatMap((row, index) => (keep(row) ? [index] : []))
    .sort((a, b) => (meters[a] ?? 0) - (meters[b] ?? 0) || a - b);
}

test("a circle finds the same rows as measuring every row, nearest first", async () => {
  for (let i = 0; i < 12; i++) {
    const [lon, lat] = near();
    const circle = { lon, lat, radiusMeters: random.of([100, 5000, 30_000, 90_000]) };
    const metersOf = createDistanceMeter(originAt(lon, lat));
    const expected = bruteForce(
      ({ geometry }) => roundToMillimeter(metersOf(writeWkb(geometry))) <= circle.radiusMeters,
      circle,
    );
    const { total, matches } = await file.search({ circle });
    expect(total).toBe(expected.length);
    expect(matches.map(({ row }) => row)).toEqual(expected);
  }
});

test("an area finds exactly the rows with a position in it", async () => {
  for (let i = 0; i < 12; i++) {
    const [west, south] = near();
    const area = areaOf({ kind: "box", bbox: [west, south, west + 0.4, south + 0.3] });
    const { intersects } = createAreaTest(area);
    expect((await file.search({ area })).total).toBe(
      rows.filter(({ geometry }) => intersects(writeWkb(geometry))).length,
    );
  }
});

test.each(["port", "CAFE", "strasse", "lodz", "京駅", "so", "port 1", "nothing"])(
  "the name %s finds rows in which each word is a prefix of a word",
  async (name) => {
    const words = name.toLowerCase().split(" ");
    const keep = ({ properties }: FileRow) => {
      const terms = [...termsOf(String(properties.name))];
      return words.every((word) => terms.some((term) => term.startsWith(word)));
    };
    const { total, matches } = await file.search({ filters: { terms: prefixes(name) } });
    expect(matches.map(({ row }) => row)).toEqual(bruteForce(keep));
    expect(total).toBe(bruteForce(keep).length);
  },
);

test("the title of a row comes from its title column, otherwise from its first text", async () => {
  const at: Geometry = { type: "Point", coordinates: [0, 0] };
  const named = createFileSearch([
    { geometry: at, properties: { code: "x1", Name: "Port" } },
    { geometry: at, properties: { height: 3, note: "tall" } },
    { geometry: at, properties: { names: { primary: "Quai", common: { en: "Quay" } } } },
    { geometry: at, properties: {} },
  ]);
  expect((await named.search({})).matches.map(({ title }) => title)).toEqual(["Port", "tall", "Quai", undefined]);
  expect((await named.search({ filters: { terms: prefixes("quay") } })).matches.map(({ row }) => row)).toEqual([2]);
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { metersTo, originAt, toRadians } from "../../../data/format/sphere.ts";
import { buildDataset } from "../../../pipeline/builder/dataset/build.ts";
import { temporaryFolders } from "../../../pipeline/testing/folders.ts";
import { type Row, readParquet } from "../../../pipeline/testing/read-parquet.ts";
import { verifyDataset } from "../../../pipeline/tools/verify/verify.ts";
import { synthesise } from "./synthesise.ts";

const newFolder = temporaryFolders();

/** Enough to include the dense town at the start. */
const ROWS = 30_000;
const FEW_ROWS = 2000;

let places: readonly Row[];
/** Folder of the first few rows. */
let few: string;

async function makePlaces(rows: number, seed = 1): Promise<string> {
  const out = await newFolder();
  await synthesise({ out, seed, rows: { places: rows } });
  return out;
}

function fileIn(folder: string): string {
  return join(folder, "theme=places/type=place/part-00000.zstd.parquet");
}

beforeAll(async () => {
  places = await readParquet(fileIn(await makePlaces(ROWS)));
  few = await makePlaces(FEW_ROWS);
});

test("the same seed gives the same bytes, another seed other rows", async () => {
  const [again, other] = [await makePlaces(FEW_ROWS), await makePlaces(FEW_ROWS, 2)];
  expect(await readFile(fileIn(again))).toEqual(await readFile(fileIn(few)));
  const ids = new Set(places.map(({ id }) => id));
  expect((await readParquet(fileIn(other))).filter(({ id }) => ids.has(id))).toEqual([]);
});

test("a smaller dataset is the first part of a larger one, and ids are unique", async () => {
  expect(await readParquet(fileIn(few))).toEqual(places.slice(0, FEW_ROWS));
  expect(places).toHaveLength(ROWS);
  expect(new Set(places.map(({ id }) => id)).size).toBe(ROWS);
});

test("it has all countries, with names in their scripts", async () => {
  const countries = new Set((await readParquet("data/sample/world/division.parquet")).map(({ country }) => country));
  const found = new Set(
    places.slice(0, 1000).flatMap(({ addresses }) => (addresses as Row[]).map(({ country }) => country)),
  );
  expect([...countries].filter((country) => !found.has(country))).toEqual([]);
  const names = places.map(({ names }) => (names as Row).primary as string);
  for (const script of [
    "Latin",
    "Han",
    "Hangul",
    "Cyrillic",
    "Arabic",
    "Hebrew",
    "Devanagari",
    "Thai",
    "Greek",
    "Ethiopic",
  ]) {
    const pattern = new RegExp(`\\p{Script=${script}}`, "u");
    expect(names.filter((name) => pattern.test(name)).length, script).toBeGreaterThan(0);
  }
  expect(Math.max(...names.map((name) => name.length))).toBeGreaterThan(80);
});

test("its densest kilometre is as dense as in a real town", async () => {
  const real = countWithin(await readParquet("data/sample/boulder/place.parquet"), 1000);
  const busiest = busiestLocality();
  const dense = places.filter(({ addresses }) => (addresses as Row[])[0]?.locality === busiest);
  expect(dense.length).toBeGreaterThan(15_000);
  const made = countWithin(dense, 1000);
  expect(made).toBeGreaterThan(real / 2);
  expect(made).toBeLessThan(real * 5);
});

test("rare values of the sample are as rare", async () => {
  const [boulder, monaco] = await Promise.all(
    ["boulder", "monaco"].map((folder) => readParquet(`data/sample/${folder}/place.parquet`)),
  );
  const real = [...(boulder ?? []), ...(monaco ?? [])];
  const measures: Record<string, (row: Row) => boolean> = {
    restaurants: ({ basic_category }) => basic_category === "restaurant",
    "no category": ({ basic_category }) => basic_category === null,
    brands: ({ brand }) => ((brand as Row | null)?.names as Row | null)?.primary != null,
    websites: ({ websites }) => (websites as unknown[] | null)?.length === 1,
    "low confidence": ({ confidence }) => (confidence as number) < 0.4,
  };
  for (const [name, measure] of Object.entries(measures)) {
    const [expected, found] = [real, places].map((rows) => rows.filter(measure).length / rows.length);
    expect(found, name).toBeGreaterThan((expected ?? 0) * 0.85);
    expect(found, name).toBeLessThan((expected ?? 0) * 1.15);
  }
});

test("a dataset from all kinds has no rejected row", async () => {
  const [source, dataset] = [await newFolder(), await newFolder()];
  const rows = { places: 80, buildings: 80, addresses: 80, segments: 80 };
  await synthesise({ out: source, seed: 1, rows });
  const report = await buildDataset({ sources: [source], out: dataset });
  expect(report.rejected).toBe(0);
  const manifest = JSON.parse(await readFile(join(dataset, "manifest.json"), "utf8"));
  for (const name of ["place", "building", "address", "segment"]) {
    expect(manifest.collections[name]).toMatchObject({ rows: 80, ignored_columns: [] });
  }
  expect((await verifyDataset(dataset)).flatMap(({ faults }) => faults)).toEqual([]);
});

test("buildings have all sizes, up to some hundred metres", async () => {
  const out = await newFolder();
  await synthesise({ out, seed: 1, rows: { buildings: 4000 } });
  const buildings = await readParquet(join(out, "theme=buildings/type=building/part-00000.zstd.parquet"));
  const sizes = buildings
    .map(({ bbox }) => ((bbox as Row).ymax as number) - ((bbox as Row).ymin as number))
    .sort((a, b) => a - b);
  const meters = [0.01, 0.5, 0.999].map((share) => (sizes[Math.floor(share * sizes.length)] ?? 0) * 111_195);
  expect(meters[0]).toBeLessThan(5);
  expect(meters[1]).toBeGreaterThan(10);
  expect(meters[1]).toBeLessThan(25);
  expect(meters[2]).toBeGreaterThan(100);
});

test("refuses a folder with files, and a request for no rows", async () => {
  const rows = { places: 100 };
  await expect(synthesise({ out: few, seed: 1, rows })).rejects.toThrow(/type=place: holds part-00000/);
  await expect(synthesise({ out: few, seed: 1, rows: { places: 0 } })).rejects.toThrow("no rows to make");
});

function busiestLocality(): unknown {
  const counts = new Map<unknown, number>();
  for (const { addresses } of places) {
    const locality = (addresses as Row[])[0]?.locality;
    counts.set(locality, (counts.get(locality) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Rows within the radius of their middle: the median of longitude and latitude. */
function countWithin(rows: readonly Row[], radiusMeters: number): number {
  const positions = rows.map(({ bbox }) => bbox as { xmin: number; ymin: number });
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const origin = originAt(median(positions.map(({ xmin }) => xmin)), median(positions.map(({ ymin }) => ymin)));
  return positions.filter(({ xmin, ymin }) => metersTo(origin, xmin, ymin, Math.cos(toRadians(ymin))) < radiusMeters)
    .length;
}

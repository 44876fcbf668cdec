import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { readParquet } from "../../testing/read-parquet.ts";
import { writeSmallSources } from "../../testing/small-sources.ts";
import { type BuildOptions, buildDataset } from "./build.ts";

const newFolder = temporaryFolders();

const MONACO = "data/sample/monaco";

async function build(options: Partial<BuildOptions> & Pick<BuildOptions, "sources">): Promise<Record<string, number>> {
  const out = options.out ?? (await newFolder());
  await buildDataset({ ...options, out });
  const { collections } = parseManifest(JSON.parse(await readFile(join(out, "manifest.json"), "utf8")));
  const rows = Object.entries(collections).map(([name, { rows }]) => [name, rows] as const);
  return Object.fromEntries(rows.filter(([name]) => name !== "place_building"));
}

/** Two of the three cities are outside. */
const AROUND_MONACO = [7.3, 43.6, 7.6, 43.9] as const;

test("reads only the records of GeoJSON files that are in a box", async () => {
  const source = await newFolder();
  await writeSmallSources(source);
  expect(await build({ sources: [source], area: { kind: "box", bbox: AROUND_MONACO } })).toEqual({
    place: 119,
    building: 60,
    division: 1,
  });
});

test("reads only the rows of a table that are in an area, and refuses an area without rows", async () => {
  const sources = ["docs/examples/shops.csv"];
  const of = (bbox: readonly [number, number, number, number]) =>
    build({ sources, area: { kind: "box", bbox }, mostRejects: 1 });
  expect(await of([7.4, 43.7, 7.5, 43.8])).toEqual({ shops: 6 });
  expect(await of([7.425, 43.7, 7.5, 43.8])).toEqual({ shops: 2 });
  await expect(of([43.7, 7.4, 43.8, 7.5])).rejects.toThrow(/^no rows: no source record is in box .*, 1 rejected; /);
});

test("reads only the records of GeoParquet files that are in an area and have certain types", async () => {
  const bbox = [7.415, 43.73, 7.425, 43.74] as const;
  const wanted = (await readParquet(join(MONACO, "place.parquet"))).filter(({ bbox: box }) => {
    const { xmin, xmax, ymin, ymax } = box as Record<string, number>;
    return Number(xmax) >= bbox[0] && Number(xmin) <= bbox[2] && Number(ymax) >= bbox[1] && Number(ymin) <= bbox[3];
  });
  expect(wanted.length).toBeGreaterThan(50);
  const out = await newFolder();
  const options = { sources: [MONACO], out, types: ["place"], keep: true } as const;
  expect(await build({ ...options, area: { kind: "box", bbox } })).toEqual({ place: wanted.length });
  // The checkpoints of an earlier build are for another area.
  const [west, south, east, north] = bbox;
  const ring = [west, east, east, west, west].map((lon, i) => [lon, i < 2 || i === 4 ? south : north] as const);
  const polygon = { type: "Polygon", coordinates: [ring] } as const;
  expect(await build({ ...options, area: { kind: "polygon", label: "square", polygon } })).toEqual({
    place: wanted.length,
  });
  expect((await build(options)).place).toBeGreaterThan(wanted.length);
});

test("a country's rows declare it or intersect its outline", async () => {
  const source = await newFolder();
  await writeSmallSources(source);
  const area = { kind: "country", code: "JP" } as const;
  expect(await build({ sources: [source], area })).toEqual({ place: 120, building: 60, division: 1 });
  await expect(build({ sources: [source], area: { kind: "country", code: "XX" } })).rejects.toThrow(
    "country XX: neither the sources nor ISO 3166-1 have it",
  );
  await expect(build({ sources: [source], area: { kind: "division", id: "a" } })).rejects.toThrow(
    "cairn get --division",
  );
  await expect(build({ sources: [source], types: ["water"] })).rejects.toThrow(
    /^no source of type water, there are building, division, place$/,
  );
});

test("the release comes from the extracts, and two releases cannot be mixed", async () => {
  const [one, two] = [await newFolder(), await newFolder()];
  for (const [folder, release] of [
    [one, "2026-09-23.0"],
    [two, "2026-10-21.0"],
  ] as const) {
    await cp(join(MONACO, "water.parquet"), join(folder, "water.parquet"));
    await writeFile(join(folder, "extract.json"), JSON.stringify({ release }));
  }
  const report = await buildDataset({ sources: [one], out: await newFolder() });
  expect(report.release).toBe("2026-09-23.0");
  await expect(build({ sources: [one, two] })).rejects.toThrow(
    "sources of two releases, 2026-09-23.0 and 2026-10-21.0: build a dataset of each",
  );
  await mkdir(join(two, ".get"));
  await writeFile(join(two, ".get/plan.json"), "{}");
  await expect(build({ sources: [two] })).rejects.toThrow(`${two}: the extract is incomplete: run its cairn get again`);
});

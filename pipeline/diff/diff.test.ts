import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseManifest } from "../../data/format/manifest.ts";
import { buildDataset } from "../build/build.ts";
import { filesBelow } from "../disk/files.ts";
import { point, temporaryFolders, writeGeoJson } from "../testing/folders.ts";
import { diffDatasets } from "./diff.ts";

const newFolder = temporaryFolders();

async function build(connectors: readonly unknown[]): Promise<string> {
  const [source, out] = [await newFolder(), await newFolder()];
  await writeGeoJson(source, "connector.geojson", connectors);
  await writeGeoJson(source, "water.geojson", [point("w", 7.42, 43.73)]);
  await buildDataset({ sources: [source], out });
  return out;
}

const monaco = point("a", 7.42, 43.73);
const france = point("b", 2.35, 48.85);

test("what a dataset has and its predecessor has not is added, and the reverse is removed", async () => {
  const older = await build([monaco, france]);
  const newer = await build([monaco, point("b", 2.36, 48.85)]);
  const lines = await diffDatasets(older, newer);
  const counts = lines.map(({ collection, what, kept, added, removed }) =>
    [collection, what, kept.files, added.files, removed.files].join(" "),
  );
  // where ids are does not change when a row moves within its country
  expect(counts).toEqual([
    "water location 1 0 0",
    "water id 1 0 0",
    "water index pages 0 0 0",
    "connector location 1 1 1",
    "connector id 1 1 1",
    "connector find 1 0 0",
    "connector index pages 0 0 0",
  ]);
  const files = async (folder: string) => (await filesBelow(folder)).filter((path) => path.endsWith(".parquet"));
  const [before, after] = [await files(older), await files(newer)];
  const there = after.filter((path) => !before.includes(path) && path !== "rejects.parquet");
  expect(lines.reduce((sum, { added }) => sum + added.files, 0)).toBe(there.length);
  const { collections } = parseManifest(JSON.parse(await readFile(join(newer, "manifest.json"), "utf8")));
  const runs = Object.values(collections).flatMap(({ runs }) => Object.values(runs));
  const bytes = runs.reduce((sum, run) => sum + (run?.bytes ?? 0), 0);
  expect(lines.reduce((sum, { kept, added }) => sum + kept.bytes + added.bytes, 0)).toBe(bytes);
});

test("a collection that only one has is added or removed whole", async () => {
  const older = await build([monaco, france]);
  const [source, newer] = [await newFolder(), await newFolder()];
  await writeGeoJson(source, "water.geojson", [point("w", 7.42, 43.73)]);
  await buildDataset({ sources: [source], out: newer });
  const sum = (lines: Awaited<ReturnType<typeof diffDatasets>>) =>
    lines.reduce(
      (total, { added, removed }) => [(total[0] ?? 0) + added.files, (total[1] ?? 0) + removed.files],
      [0, 0],
    );
  expect(sum(await diffDatasets(older, newer))).toEqual([0, 5]);
  expect(sum(await diffDatasets(newer, older))).toEqual([5, 0]);
  expect(sum(await diffDatasets(newer, newer))).toEqual([0, 0]);
});

test("a folder that is no dataset is named", async () => {
  const folder = await newFolder();
  await expect(diffDatasets(folder, folder)).rejects.toThrow(`${folder} is not a dataset: it has no manifest.json`);
});

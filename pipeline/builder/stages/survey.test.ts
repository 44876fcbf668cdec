import { hash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GEOHASH_BITS } from "../../../data/format/geohash.ts";
import { MAX_SEGMENT_ROWS } from "../../../data/format/id-order.ts";
import { openDatabase } from "../../base/database/index.ts";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { readDataset } from "../../testing/read-dataset.ts";
import { writeSmallSources } from "../../testing/small-sources.ts";
import { buildDataset } from "../dataset/build.ts";
import { planRun } from "../partitions/index.ts";
import { planPath, readPlan, type SurveyTask, taskFolder } from "../plan/index.ts";
import { readBucket, survey } from "./survey.ts";

const newFolder = temporaryFolders();

/** More than a segment. */
const ROWS = MAX_SEGMENT_ROWS + 2000;
/** Digits of ids in their keys. */
const DIGITS = 12;

test("segments are the leaves of a trie over the ids", async () => {
  const [source, out] = [await newFolder(), join(await newFolder(), "dataset")];
  // All in one cell of the first level.
  const ids = Array.from({ length: ROWS }, (_, row) => `07${hash("sha256", `id ${row}`).slice(0, 30)}`).sort();
  const features = ids.map((id, row) => point(id, -105.28 + (row % 500) / 5000, 40.015 + Math.floor(row / 500) / 5000));
  await writeGeoJson(source, "connector.geojson", features);
  await buildDataset({ sources: [source], out, level: "fast" });
  const segments = (await (await readDataset(out)).nodes("connector", "ids")).map(({ rows }) => rows);
  const keys = ids.map((id) => {
    const start = Number.parseInt(id.slice(0, DIGITS), 16) * 2 ** (GEOHASH_BITS - 4 * DIGITS);
    return { country: "US", sizeClass: 0, start, rows: 1 };
  });
  expect(segments).toEqual(planRun(keys, MAX_SEGMENT_ROWS).map(({ start, end }) => end - start));
  expect(segments.length).toBeGreaterThan(1);
});

test("runs are cut the same, however many groups of countries are held at a time", async () => {
  const [source, folder] = [await newFolder(), await newFolder()];
  await writeSmallSources(source);
  await buildDataset({ sources: [source], out: join(folder, "dataset"), taskRows: 50, keep: true });
  const plan = await readPlan(planPath(join(folder, "dataset.build")));
  const tasks = plan.stages
    .flatMap((stage) => stage.tasks)
    .filter((task): task is SurveyTask => task.stage === "survey");
  expect(tasks.some(({ groups }) => groups.length > 1)).toBe(true);
  let buckets = 0;
  for (const task of tasks) {
    const [made, scratch] = [await newFolder(), await newFolder()];
    const database = await openDatabase({ folder: scratch });
    await survey({ plan, database, folder: made, scratch }, task, 1);
    database.close();
    const names = (await readdir(made)).filter((name) => name.endsWith(".json") || name.endsWith(".bin"));
    for (const name of names) {
      expect(await readFile(join(made, name)), name).toEqual(
        await readFile(join(taskFolder(plan.work, task.key), name)),
      );
    }
    buckets += names.length;
  }
  expect(buckets).toBeGreaterThan(2 * tasks.length);
  // A bucket without rows has no file. Neither has a survey that another build removed.
  const [first] = tasks;
  const read = (index: number) => readBucket(plan, first?.key ?? "", { run: "ids", index });
  expect([await read(0), await read(9999)]).toEqual([expect.anything(), undefined]);
  await rm(taskFolder(plan.work, first?.key ?? ""), { recursive: true });
  await expect(read(0)).rejects.toThrow("is not finished, and another needs it");
});

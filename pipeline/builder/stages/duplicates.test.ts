import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { hashTree } from "../../testing/hash-tree.ts";
import { idOf, readDataset } from "../../testing/read-dataset.ts";
import { readParquet } from "../../testing/read-parquet.ts";
import { verifyDataset } from "../../tools/verify/verify.ts";
import { buildDataset } from "../dataset/build.ts";
import type { Task } from "../plan/build-plan.ts";

const newFolder = temporaryFolders();

/** Small, so that id hashes and cells of a country are divided among several tasks. */
const TASK_ROWS = 5;
const FILES = ["a", "b", "c"];
const ROWS = 100;
const IDS = 120;
const VERSIONS = 3;

const CITIES = [
  [7.42, 43.73],
  [-105.28, 40.015],
  [-87.63, 41.88],
  [-74.01, 40.71],
] as const;

interface Spot {
  readonly id: string;
  readonly version: number;
  readonly city: number;
  readonly file: string;
  readonly row: number;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Ids occur in several files, some twice in one. A newer version may be in another country. */
function makeSpots(): Spot[] {
  return FILES.flatMap((file, place) =>
    Array.from({ length: ROWS }, (_, row): Spot => {
      const [id = 0, version = 0, city = 0] = digest(`${place} ${row}`);
      return {
        id: digest(String(id % IDS))
          .toString("hex")
          .slice(0, 32),
        version: version % VERSIONS,
        city: city % CITIES.length,
        file,
        row,
      };
    }),
  );
}

async function writeSpots(spots: readonly Spot[]): Promise<string> {
  const folder = await newFolder();
  for (const file of FILES) {
    const features = spots
      .filter((spot) => spot.file === file)
      .map(({ id, version, city, row }) => {
        const [lon, lat] = CITIES[city] ?? CITIES[0];
        const properties = { version, names: { primary: nameOf({ file, row }) } };
        return point(id, lon + (row % 10) / 200, lat + Math.floor(row / 10) / 200, properties);
      });
    await mkdir(join(folder, file));
    await writeGeoJson(join(folder, file), "place.geojson", features);
  }
  return folder;
}

function nameOf({ file, row }: Pick<Spot, "file" | "row">): string {
  return `${file} ${row}`;
}

/** The first row with the highest version stays. Sources are in order. */
function keepByHand(spots: readonly Spot[]): Map<string, Spot> {
  const kept = new Map<string, Spot>();
  for (const spot of spots) if (spot.version > (kept.get(spot.id)?.version ?? -1)) kept.set(spot.id, spot);
  return kept;
}

test("of rows with the same id one stays, however many tasks search for duplicates", async () => {
  const spots = makeSpots();
  const kept = keepByHand(spots);
  const source = await writeSpots(spots);
  const [whole, shared] = [join(await newFolder(), "dataset"), join(await newFolder(), "dataset")];
  await buildDataset({ sources: [source], out: whole });
  await buildDataset({ sources: [source], out: shared, taskRows: TASK_ROWS, keep: true });
  expect(await hashTree(shared)).toEqual(await hashTree(whole));
  const plan = JSON.parse(await readFile(join(`${shared}.build`, "plan.json"), "utf8"));
  const tasks: Task[] = plan.stages.flatMap((stage: { tasks: Task[] }) => stage.tasks);
  const sharesOf = (wanted: string) =>
    tasks.flatMap((task) => (task.stage === wanted && "shares" in task ? [task.shares] : []));
  expect(sharesOf("duplicates")).toEqual([4, 4, 4, 4]);
  expect(sharesOf("tally").some((shares) => shares > 1)).toBe(true);

  const records = await (await readDataset(shared)).records("place");
  const found = Array.from(records.values(), ({ record }) => [
    idOf(record),
    JSON.parse(Buffer.from(record.json).toString()).names.primary,
  ]);
  const expected = Array.from(kept, ([id, spot]) => [id, nameOf(spot)]);
  expect(found.sort()).toEqual(expected.sort());

  const duplicates = spots.filter((spot) => kept.get(spot.id) !== spot);
  const isLost = (is: (winner: Spot, duplicate: Spot) => boolean) =>
    duplicates.some((duplicate) => is(kept.get(duplicate.id) ?? duplicate, duplicate));
  expect([
    isLost((winner, duplicate) => winner.file === duplicate.file),
    isLost((winner, duplicate) => winner.file !== duplicate.file && winner.version === duplicate.version),
    isLost((winner, duplicate) => winner.version > duplicate.version && winner.file > duplicate.file),
    isLost((winner, duplicate) => winner.city === 0 && duplicate.city > 0),
  ]).toEqual([true, true, true, true]);
  const rejects = await readParquet(join(shared, "rejects.parquet"));
  expect(rejects.map(({ source: path, id, reason, detail }) => [path, id, reason, detail])).toEqual(
    duplicates.map(({ id, version, file }) => [
      `${file}/place.geojson`,
      id,
      "duplicate id",
      `version ${version}, kept is version ${kept.get(id)?.version}`,
    ]),
  );
  expect((await verifyDataset(shared)).flatMap(({ faults }) => faults)).toEqual([]);
});

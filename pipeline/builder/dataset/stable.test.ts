import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { AnyRunName } from "../../../data/format/manifest.ts";
import { synthesise } from "../../../e2e/bench/synth/synthesise.ts";
import { openDatabase, quotePath } from "../../base/database/database.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { type DatasetReader, readDataset } from "../../testing/read-dataset.ts";
import { buildDataset } from "./build.ts";

const newFolder = temporaryFolders();

vi.setConfig({ testTimeout: 300_000 });

const ROWS = { places: 4000, buildings: 400 } as const;
const CHANGED = "theme=places/type=place/part-00000.zstd.parquet";

/** Copies the sources, removes one place and replaces another one at the same point. */
async function changeFile(from: string, into: string): Promise<void> {
  await cp(from, into, { recursive: true });
  const database = await openDatabase({ folder: await newFolder() });
  await database.run(`
    COPY (
      SELECT * EXCLUDE (place) REPLACE (
        CASE WHEN place = 1500 THEN '7' || substr(id, 2) ELSE id END AS id,
        CASE WHEN place = 1500 THEN struct_update(names, "primary" := 'Another name') ELSE names END AS names)
      FROM (
        SELECT *, row_number() OVER (ORDER BY id) AS place
        FROM read_parquet(${quotePath(join(from, CHANGED))}, hive_partitioning = false)
      )
    ) TO ${quotePath(join(into, CHANGED))} (FORMAT parquet)`);
  database.close();
}

/** SHA-256 of the slices of a run, by what they contain. */
async function slicesOf(dataset: DatasetReader, collection: CollectionName, run: AnyRunName): Promise<Set<string>> {
  return new Set((await dataset.nodes(collection, run)).map(({ country, sha256 }) => `${country} ${sha256}`));
}

async function pointsOf(dataset: DatasetReader, collection: CollectionName): Promise<Set<string>> {
  const nodes = await dataset.nodes(collection, "location");
  return new Set(nodes.map(({ country, points }) => `${country} ${points.sha256}`));
}

test("a changed place changes few slices, and its country's slices of points and terms", async () => {
  const [source, changed, older, newer] = await Promise.all([newFolder(), newFolder(), newFolder(), newFolder()]);
  await synthesise({ out: source, seed: 1, rows: ROWS });
  await changeFile(source, changed);
  await buildDataset({ sources: [source], out: older });
  await buildDataset({ sources: [changed], out: newer });
  const [before, after] = await Promise.all([readDataset(older), readDataset(newer)]);
  const fresh = (old: ReadonlySet<string>, now: ReadonlySet<string>) => [...now].filter((slice) => !old.has(slice));
  for (const run of ["location", "records"] as const) {
    const [old, now] = [await slicesOf(before, "place", run), await slicesOf(after, "place", run)];
    const made = fresh(old, now);
    expect(made.length, run).toBeGreaterThan(0);
    expect(made.length / now.size, run).toBeLessThan(0.02);
    expect(await slicesOf(after, "building", run)).toEqual(await slicesOf(before, "building", run));
  }
  // Numbers of a country depend on its records.
  const made = [
    ...fresh(await pointsOf(before, "place"), await pointsOf(after, "place")),
    ...fresh(await slicesOf(before, "place", "term"), await slicesOf(after, "place", "term")),
  ];
  expect(new Set(made.map((slice) => slice.slice(0, 2))).size).toBe(1);
});

import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { synthesise } from "../../e2e/bench/synth/synthesise.ts";
import { openDatabase } from "../database/database.ts";
import { quotePath } from "../database/sql.ts";
import { diffDatasets } from "../diff/diff.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { buildDataset } from "./build.ts";

const newFolder = temporaryFolders();

vi.setConfig({ testTimeout: 300_000 });

const ROWS = { places: 4000, buildings: 400 } as const;
const CHANGED = "theme=places/type=place/part-00000.zstd.parquet";

/** A copy of the sources in which one place is gone, and another stands where it was under another name. */
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

test("a changed file makes less than 2 % of the partitions anew", async () => {
  const [source, changed, older, newer] = await Promise.all([newFolder(), newFolder(), newFolder(), newFolder()]);
  await synthesise({ out: source, seed: 1, rows: ROWS });
  await changeFile(source, changed);
  await buildDataset({ sources: [source], out: older });
  await buildDataset({ sources: [changed], out: newer });
  const lines = (await diffDatasets(older, newer)).filter(({ what }) => what !== "index pages");
  const sum = (member: "kept" | "added"): number => lines.reduce((total, line) => total + line[member].files, 0);
  const report = lines.map(
    ({ collection, what, kept, added }) => `${collection} ${what} ${added.files}/${added.files + kept.files}`,
  );
  expect(sum("added")).toBeGreaterThan(0);
  expect(report.filter((line) => line.startsWith("building") && !/ 0\//.test(line))).toEqual([]);
  expect(sum("added") / (sum("added") + sum("kept")), report.join(", ")).toBeLessThan(0.02);
});

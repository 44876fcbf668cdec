import { expect, test } from "vitest";
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import type { ManifestCollection, PartitionNode } from "../../data/format/manifest.ts";
import { openDatabase } from "../database/database.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { checkIds, checkRuns, checkTotals, keepIds } from "./collection-checks.ts";
import { createLedger } from "./ledger.ts";
import { ROWS_TABLE, type SoundPartition } from "./row-table.ts";

const newFolder = temporaryFolders();

const HASH = "0".repeat(64);

function partitionAt(bbox: BBox): PartitionNode {
  const range = { country: "AA", geohash: "s", bytes: 100, rows: 2, sha256: HASH, start: "a", end: "b" };
  return { ...range, bbox } as unknown as PartitionNode;
}

test("the box of a collection is that of its partitions, whatever gaps its index pages close", () => {
  const nodes = ([10, 150, -100] as const).map((west) => partitionAt([west, 0, west + 10, 10]));
  const boxes = nodes.map(({ bbox }) => bbox);
  const page = { ...nodes[0], bbox: bboxUnion(boxes.slice(0, 2)) };
  const run = { nodes: [page, nodes[2]], partitions: 3, bytes: 300 };
  expect(bboxUnion(boxes)).toEqual([150, 0, 20, 10]);

  const faultsWith = (bbox: BBox): readonly string[] => {
    const manifest = { rows: 6, countries: { AA: 6 }, bbox, runs: { location: run } } as unknown as ManifestCollection;
    const ledger = createLedger();
    const partitions = nodes.map((node, index) => ({ node, path: `${index}.parquet` }));
    checkTotals("place", manifest, "location", partitions, () => 2, ledger);
    return ledger.lines().flatMap(({ faults }) => faults);
  };
  expect(faultsWith([150, 0, 20, 10])).toEqual([]);
  expect(faultsWith([-100, 0, 160, 10])).toEqual([expect.stringContaining("place bbox")]);
});

test("an id that is in two countries is told, though they are looked at one after the other", async () => {
  const database = await openDatabase({ folder: await newFolder() });
  const ledger = createLedger();
  await keepIds(database);
  for (const [country, ids] of [
    ["AA", ["a", "b"]],
    ["BB", ["b", "c"]],
  ] as const) {
    const rows = ids.flatMap((id) => [0, 1].map((file) => `(${file}, '${id}', 1)`));
    await database.run(
      `CREATE OR REPLACE TABLE ${ROWS_TABLE} AS FROM (VALUES ${rows.join(", ")}) rows(file, id, hash)`,
    );
    const partitions = (["location", "id"] as const).map((run, file) => {
      return { run, file, path: "", node: { country } } as unknown as SoundPartition;
    });
    await checkRuns(database, "place", partitions, ledger);
  }
  await checkIds(database, "place", ledger);
  database.close();
  expect(ledger.lines().flatMap(({ faults }) => faults)).toEqual(["place: 1 ids repeated, such as b"]);
});

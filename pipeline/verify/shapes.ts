/**
 * Checks of shapes: each holds the geometries of its partition's rows, in their order.
 * @module
 */
import { join } from "node:path";
import type { CollectionName } from "../../data/format/collections.ts";
import { shapePath } from "../../data/format/paths.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import type { Ledger } from "./ledger.ts";
import { readNamed } from "./named-file.ts";
import type { SoundPartition } from "./row-table.ts";

/** Checks the shapes of those partitions that have some; returns the paths of all that the index names. */
export async function verifyShapes(
  database: Database,
  dataset: string,
  name: CollectionName,
  partitions: readonly SoundPartition[],
  ledger: Ledger,
): Promise<string[]> {
  const paths: string[] = [];
  for (const { path: partition, node } of partitions) {
    if (!node.shape) continue;
    const path = shapePath(name, node.country, node.shape.sha256);
    paths.push(path);
    if (!(await readNamed(dataset, { scope: name, path, ...node.shape }, ledger))) continue;
    const different = await countDifferent(database, join(dataset, partition), join(dataset, path));
    ledger.expect(
      name,
      "shapes",
      different === 0,
      () => `${path}: ${different} geometries are not those of ${partition}`,
    );
  }
  return paths;
}

async function countDifferent(database: Database, partition: string, shape: string): Promise<number> {
  const numbered = (file: string) =>
    `read_parquet(${quoteLiteral(file)}, file_row_number = true, hive_partitioning = false)`;
  const [found] = await database.rows<{ different: number }>(`
    SELECT count(*) AS different
    FROM (SELECT file_row_number, twkb(geometry) AS geometry FROM ${numbered(partition)}) rows
    FULL JOIN (SELECT file_row_number, geometry FROM ${numbered(shape)}) shapes USING (file_row_number)
    WHERE rows.geometry IS DISTINCT FROM shapes.geometry`);
  return found?.different ?? 0;
}

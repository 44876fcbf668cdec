/** Rows of partitions as a table, with keys and figures computed anew from their geometries. @module */
import { join } from "node:path";
import type { Collection } from "../../data/format/collections.ts";
import type { AnyRunName } from "../../data/format/manifest.ts";
import { type Database, quoteLiteral, quotePath } from "../database/index.ts";
import { recordSql } from "../term-runs/index.ts";
import { batchFiles } from "./batches.ts";
import { checksOf, type Ledger, messageOf } from "./ledger.ts";
import type { IndexedPartition } from "./read-index.ts";

export interface SoundPartition extends IndexedPartition {
  readonly run: AnyRunName;
  readonly file: number;
}

export const ROWS_TABLE = "verified_rows";

export function wholeSql(collection: Collection, record = recordSql(collection)): string {
  return `hash(id, geometry, bbox, ${record})`;
}

/** Leaves partitions that cannot be read out of the result, and notes them. */
export async function loadRows(
  database: Database,
  dataset: string,
  collection: Collection,
  partitions: readonly SoundPartition[],
  ledger: Ledger,
): Promise<SoundPartition[]> {
  await database.run(`
    CREATE OR REPLACE TABLE ${ROWS_TABLE} (file INTEGER, row BIGINT, id VARCHAR, reason VARCHAR, kind VARCHAR,
      size_class TINYINT, geohash BIGINT, west DOUBLE, south DOUBLE, east DOUBLE, north DOUBLE, has_box BOOLEAN, hash UBIGINT)`);
  const load = (chosen: readonly SoundPartition[]): Promise<void> =>
    database.run(insertSql(dataset, collection, chosen));
  const loaded: SoundPartition[] = [];
  for (const batch of batchFiles(partitions)) {
    if (await succeeds(() => load(batch))) {
      for (const partition of batch) loaded.push(partition);
      continue;
    }
    for (const partition of batch) {
      const error = await load([partition]).then(() => undefined, messageOf);
      const fault = () => `cannot be read: ${error?.split("\n")[0]}`;
      if (checksOf(ledger, collection.name, partition.path).say("columns", error === undefined, fault))
        loaded.push(partition);
    }
  }
  return loaded;
}

async function succeeds(task: () => Promise<void>): Promise<boolean> {
  return task().then(
    () => true,
    () => false,
  );
}

function insertSql(dataset: string, collection: Collection, partitions: readonly SoundPartition[]): string {
  const files = partitions.map(({ path }) => quotePath(join(dataset, path)));
  const numbers = partitions.map(({ path, file }) => `(${file}, ${quoteLiteral(join(dataset, path))})`);
  return `
    INSERT INTO ${ROWS_TABLE}
    SELECT files.file, file_row_number, id, f.reason, f.kind, f.size_class, f.geohash, f.xmin, f.ymin, f.xmax, f.ymax,
      bbox = struct_pack(xmin := f.xmin, xmax := f.xmax, ymin := f.ymin, ymax := f.ymax), whole
    FROM (
      SELECT filename, file_row_number, id, bbox, geometry_figures(geometry, NULL) AS f, ${wholeSql(collection)} AS whole
      FROM read_parquet([${files.join(", ")}], filename = true, file_row_number = true, hive_partitioning = false)
    ) JOIN (VALUES ${numbers.join(", ")}) files(file, path) ON filename = path`;
}

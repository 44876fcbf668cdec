/**
 * Writes a run that is sorted by terms.
 * @module
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BBox, bboxUnion } from "../data/format/bbox.ts";
import type { CollectionName } from "../data/format/collections.ts";
import type { PartitionNode, TermRunName } from "../data/format/manifest.ts";
import { partitionPath } from "../data/format/paths.ts";
import { copyToParquet } from "./copy-to-parquet.ts";
import type { Database } from "./database.ts";
import { cairnMetadata } from "./geo-metadata.ts";
import type { PlannedTerms } from "./plan-terms.ts";
import { quoteIdentifier } from "./sql.ts";

export interface TermTable {
  readonly collection: CollectionName;
  readonly run: TermRunName;
  /** Holds the rows in the run's order: a row's place is its `rowid`. */
  readonly table: string;
  readonly columns: readonly string[];
  readonly folder: string;
}

/** Writes the planned partitions below the folder. */
export async function writeTermPartitions(
  database: Database,
  table: TermTable,
  planned: readonly PlannedTerms[],
): Promise<PartitionNode[]> {
  const partitions: PartitionNode[] = new Array(planned.length);
  await database.each(planned, async (connection, partition, index) => {
    partitions[index] = await writeTerms(connection, table, partition);
  });
  return partitions;
}

async function writeTerms(
  database: Database,
  { collection, run, table, columns, folder }: TermTable,
  { country, start, end, firstTerm, lastTerm, startInTerm }: PlannedTerms,
): Promise<PartitionNode> {
  const where = `rowid >= ${start} AND rowid < ${end}`;
  const boxes = await database.rows<{ west: number; south: number; east: number; north: number }>(`
    SELECT min(bbox.xmin) AS west, min(bbox.ymin) AS south, max(bbox.xmax) AS east, max(bbox.ymax) AS north
    FROM ${table} WHERE ${where} GROUP BY bbox.xmin > bbox.xmax ORDER BY ALL`);
  const temporary = join(folder, `${collection}.${run}.${start}.tmp`);
  const list = columns.map(quoteIdentifier).join(", ");
  await copyToParquet(database, `SELECT ${list} FROM ${table} WHERE ${where} ORDER BY rowid`, temporary, {
    cairn: cairnMetadata(collection, run, country),
  });
  const content = await readFile(temporary);
  const node: PartitionNode = {
    sha256: createHash("sha256").update(content).digest("hex"),
    bytes: content.length,
    rows: end - start,
    bbox: bboxUnion(boxes.map(({ west, south, east, north }): BBox => [west, south, east, north])),
    country,
    first_term: firstTerm,
    last_term: lastTerm,
    start: startInTerm,
  };
  const path = join(folder, partitionPath(collection, run, node));
  await mkdir(dirname(path), { recursive: true });
  await rename(temporary, path);
  return node;
}

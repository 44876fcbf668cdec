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
import { eachRange, type RangeSql, type RowRange } from "./ranges.ts";
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
  const boxes = await boxesOf(database, table.table, planned);
  const partitions: PartitionNode[] = new Array(planned.length);
  await eachRange(database, table.table, planned, async (connection, sql, { range, index }) => {
    const bbox = bboxUnion(boxes.get(index) ?? []);
    partitions[index] = await writeTerms(connection, { ...table, sql }, range, bbox);
  });
  return partitions;
}

/** Boxes that cover each range together, by its place: one pass over the table. */
async function boxesOf(
  database: Database,
  table: string,
  ranges: readonly RowRange[],
): Promise<Map<number, readonly BBox[]>> {
  if (ranges.length === 0) return new Map();
  const starts = ranges.map(({ start }, index) => `(${index}, ${start})`).join(", ");
  const rows = await database.rows<Record<"index" | "west" | "south" | "east" | "north", number>>(`
    SELECT index, min(bbox.xmin) AS west, min(bbox.ymin) AS south, max(bbox.xmax) AS east, max(bbox.ymax) AS north
    FROM (SELECT rowid AS place, bbox FROM ${table})
    ASOF JOIN (VALUES ${starts}) ranges(index, first) ON place >= first
    GROUP BY index, bbox.xmin > bbox.xmax ORDER BY ALL`);
  const boxes = new Map<number, BBox[]>();
  for (const { index, west, south, east, north } of rows) {
    boxes.set(index, [...(boxes.get(index) ?? []), [west, south, east, north]]);
  }
  return boxes;
}

async function writeTerms(
  database: Database,
  { collection, run, sql, columns, folder }: Omit<TermTable, "table"> & { readonly sql: RangeSql },
  { country, start, end, firstTerm, lastTerm, startInTerm }: PlannedTerms,
  bbox: BBox,
): Promise<PartitionNode> {
  const temporary = join(folder, `${collection}.${run}.${start}.tmp`);
  const list = columns.map(quoteIdentifier).join(", ");
  await copyToParquet(database, `SELECT ${list} FROM ${sql.inOrder}`, temporary, {
    cairn: cairnMetadata(collection, run, country),
  });
  const content = await readFile(temporary);
  const node: PartitionNode = {
    sha256: createHash("sha256").update(content).digest("hex"),
    bytes: content.length,
    rows: end - start,
    bbox,
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

/**
 * Writes one range of a sorted run as a partition, and tells what its node in the index says.
 * @module
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BBox, bboxUnion } from "../data/format/bbox.ts";
import type { CollectionName } from "../data/format/collections.ts";
import { commonBits, spellGeohash } from "../data/format/geohash.ts";
import type { PartitionNode, RunName } from "../data/format/manifest.ts";
import { partitionPath } from "../data/format/paths.ts";
import { copyToParquet } from "./copy-to-parquet.ts";
import type { Database } from "./database.ts";
import { cairnMetadata, geoMetadata } from "./geo-metadata.ts";
import type { PlannedPartition } from "./plan-partitions.ts";
import { quoteIdentifier } from "./sql.ts";
import { writeShape } from "./write-shape.ts";

export interface RunTable {
  readonly collection: CollectionName;
  readonly run: RunName;
  /** Holds the rows in the run's order: a row's place is its `rowid`. */
  readonly table: string;
  readonly columns: readonly string[];
  /** The dataset in the making. */
  readonly folder: string;
}

interface Summary {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly first_geohash: number;
  readonly last_geohash: number;
  readonly first_id: string;
  readonly last_id: string;
  readonly kinds: readonly string[];
}

/** Writes the partition below the folder under its final name. `start` is the number of its country's rows before it. */
export async function writePartition(
  database: Database,
  { collection, run, table, columns, folder }: RunTable,
  planned: PlannedPartition,
  start: number,
): Promise<PartitionNode> {
  const where = `rowid >= ${planned.start} AND rowid < ${planned.end}`;
  const summary = await summarise(database, table, where);
  const bbox = await boxOf(database, table, where, summary);
  const temporary = join(folder, `${collection}.${run}.${planned.start}.tmp`);
  const list = columns.map(quoteIdentifier).join(", ");
  const from = `${table} WHERE ${where} ORDER BY rowid`;
  await copyToParquet(database, `SELECT ${list} FROM ${from}`, temporary, {
    geo: geoMetadata(summary.kinds, bbox),
    cairn: cairnMetadata(collection, run, planned.country),
  });
  const content = await readFile(temporary);
  const common = {
    sha256: createHash("sha256").update(content).digest("hex"),
    bytes: content.length,
    rows: planned.end - planned.start,
    bbox,
    country: planned.country,
  };
  const bits = commonBits(summary.first_geohash, summary.last_geohash);
  const shape =
    run === "location"
      ? await writeShape(database, { collection, from, folder, temporary: `${temporary}.shape` }, common)
      : undefined;
  const node: PartitionNode =
    run === "location"
      ? { ...common, geohash: spellGeohash(summary.first_geohash, bits), ...(shape ? { shape } : {}) }
      : { ...common, first_id: summary.first_id, last_id: summary.last_id, start };
  const path = join(folder, partitionPath(collection, run, node));
  await mkdir(dirname(path), { recursive: true });
  await rename(temporary, path);
  return node;
}

async function summarise(database: Database, table: string, where: string): Promise<Summary> {
  const [summary] = await database.rows<Summary>(`
    SELECT min(bbox.xmin) AS west, min(bbox.ymin) AS south, max(bbox.xmax) AS east, max(bbox.ymax) AS north,
      min(_geohash) AS first_geohash, max(_geohash) AS last_geohash, min(id) AS first_id, max(id) AS last_id,
      list(DISTINCT _kind) AS kinds
    FROM ${table} WHERE ${where}`);
  if (!summary) throw new Error(`${table}: no rows where ${where}`);
  return summary;
}

async function boxOf(database: Database, table: string, where: string, summary: Summary): Promise<BBox> {
  // Only rows this far apart can be nearer to each other over the antimeridian.
  if (summary.east - summary.west <= 180) return [summary.west, summary.south, summary.east, summary.north];
  const spans = await database.rows<{ west: number; east: number }>(
    `SELECT DISTINCT bbox.xmin AS west, bbox.xmax AS east FROM ${table} WHERE ${where}`,
  );
  return bboxUnion(spans.map(({ west, east }): BBox => [west, summary.south, east, summary.north]));
}

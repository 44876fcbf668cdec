import { join } from "node:path";
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { commonBits, spellGeohash } from "../../data/format/geohash.ts";
import type { PartitionNode, RunName } from "../../data/format/manifest.ts";
import { partitionPath } from "../../data/format/paths.ts";
import { type Database, quoteIdentifier } from "../database/index.ts";
import { copyToParquet } from "./copy-to-parquet.ts";
import { cairnMetadata, geoMetadata } from "./geo-metadata.ts";
import { nameByContent } from "./name-by-content.ts";
import type { PlannedPartition } from "./plan-partitions.ts";
import { eachRange, type RangeSql } from "./ranges.ts";
import { writeShape } from "./write-shape.ts";

export interface RunTable {
  readonly collection: CollectionName;
  readonly run: RunName;
  /** Rows in the run's order, by `rowid`, with `_geohash` and `_kind`. */
  readonly table: string;
  readonly columns: readonly string[];
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

/** A partition's node without `start`, which only the whole run knows. */
export type MadePartition = Omit<PartitionNode, "start">;

/** Writes the partitions below the folder under their final names. */
export async function writePartitions(
  database: Database,
  into: RunTable,
  planned: readonly PlannedPartition[],
): Promise<MadePartition[]> {
  const summaries = await summarise(database, into.table, planned);
  const made: MadePartition[] = new Array(planned.length);
  await eachRange(database, into.table, planned, async (connection, sql, { range, index }) => {
    const summary = summaries.get(index);
    if (!summary) throw new Error(`${into.table}: no rows from ${range.start} to ${range.end}`);
    made[index] = await writePartition(connection, { ...into, sql }, range, summary);
  });
  return made;
}

async function writePartition(
  database: Database,
  {
    collection,
    run,
    sql: { rows, inOrder: from },
    columns,
    folder,
  }: Omit<RunTable, "table"> & { readonly sql: RangeSql },
  planned: PlannedPartition,
  summary: Summary,
): Promise<MadePartition> {
  const bbox = await boxOf(database, rows, summary);
  const temporary = join(folder, `${collection}.${run}.${planned.start}.tmp`);
  const list = columns.map(quoteIdentifier).join(", ");
  await copyToParquet(database, `SELECT ${list} FROM ${from}`, temporary, {
    metadata: { geo: geoMetadata(summary.kinds, bbox), cairn: cairnMetadata(collection, run, planned.country) },
  });
  const { country } = planned;
  const bits = commonBits(summary.first_geohash, summary.last_geohash);
  const place = run === "location" ? { geohash: spellGeohash(summary.first_geohash, bits) } : {};
  const named = (sha256: string): string => join(folder, partitionPath(collection, run, { country, sha256, ...place }));
  const content = await nameByContent(temporary, named);
  const common = { ...content, rows: planned.end - planned.start, bbox, country };
  if (run !== "location") return { ...common, first_id: summary.first_id, last_id: summary.last_id };
  const shape = await writeShape(database, { collection, from, folder, temporary: `${temporary}.shape` }, common);
  return { ...common, ...place, ...(shape ? { shape } : {}) };
}

/** By place in the plan: one pass over the table. */
async function summarise(
  database: Database,
  table: string,
  planned: readonly PlannedPartition[],
): Promise<Map<number, Summary>> {
  const starts = planned.map(({ start }, index) => `(${index}, ${start})`).join(", ");
  const rows = await database.rows<Summary & { index: number }>(`
    SELECT index, min(bbox.xmin) AS west, min(bbox.ymin) AS south, max(bbox.xmax) AS east, max(bbox.ymax) AS north,
      min(_geohash) AS first_geohash, max(_geohash) AS last_geohash, min(id) AS first_id, max(id) AS last_id,
      list(DISTINCT _kind) AS kinds
    FROM (SELECT rowid AS place, bbox, _geohash, id, _kind FROM ${table})
    ASOF JOIN (VALUES ${starts}) partitions(index, first) ON place >= first
    GROUP BY index`);
  return new Map(rows.map((row) => [row.index, row]));
}

async function boxOf(database: Database, from: string, summary: Summary): Promise<BBox> {
  if (summary.east - summary.west <= 180) return [summary.west, summary.south, summary.east, summary.north];
  const spans = await database.rows<{ west: number; east: number }>(
    `SELECT DISTINCT bbox.xmin AS west, bbox.xmax AS east FROM ${from}`,
  );
  return bboxUnion(spans.map(({ west, east }): BBox => [west, summary.south, east, summary.north]));
}

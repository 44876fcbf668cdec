import { join } from "node:path";
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { commonBits, spellGeohash } from "../../data/format/geohash.ts";
import type { RunName } from "../../data/format/manifest.ts";
import { shapePath } from "../../data/format/paths.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import { checksOf, type Ledger } from "./ledger.ts";
import { readNamed } from "./named-file.ts";
import { ROWS_TABLE, type SoundPartition } from "./row-table.ts";

export interface PartitionRows {
  readonly file: number;
  readonly rows: number;
  readonly first_id: string;
  readonly last_id: string;
  readonly first_class: number;
  readonly last_class: number;
  readonly first_geohash: number;
  readonly last_geohash: number;
  readonly least_geohash: number;
  readonly greatest_geohash: number;
  readonly kinds: readonly string[];
  readonly faulty: number;
  readonly faulty_id: string | null;
  readonly boxless: number;
  readonly boxless_id: string | null;
  readonly disordered: number;
  readonly disordered_id: string | null;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const KEYS: Readonly<Record<RunName, string>> = { location: "size_class, geohash, id", id: "id" };

/** By the number of the file. */
export async function summarisePartitions(
  database: Database,
  run: RunName,
  partitions: readonly SoundPartition[],
): Promise<Map<number, PartitionRows>> {
  if (partitions.length === 0) return new Map();
  const summaries = await database.rows<PartitionRows>(`
    SELECT file, count(*) AS rows, arg_min(id, row) AS first_id, arg_max(id, row) AS last_id,
      arg_min(size_class, row) AS first_class, arg_max(size_class, row) AS last_class,
      arg_min(geohash, row) AS first_geohash, arg_max(geohash, row) AS last_geohash,
      min(geohash) AS least_geohash, max(geohash) AS greatest_geohash,
      list_sort(list(DISTINCT kind) FILTER (kind IS NOT NULL)) AS kinds,
      count(*) FILTER (reason IS NOT NULL OR coalesce(id, '') = '') AS faulty,
      min(coalesce(id, 'null') || ': ' || coalesce(reason, 'missing id'))
        FILTER (reason IS NOT NULL OR coalesce(id, '') = '') AS faulty_id,
      count(*) FILTER (NOT coalesce(has_box, false)) AS boxless, min(id) FILTER (NOT coalesce(has_box, false)) AS boxless_id,
      count(*) FILTER (is_after = false) AS disordered, min(id) FILTER (is_after = false) AS disordered_id,
      min(west) AS west, min(south) AS south, max(east) AS east, max(north) AS north
    FROM (
      SELECT *, row(${KEYS[run]}) > lag(row(${KEYS[run]})) OVER (PARTITION BY file ORDER BY row) AS is_after
      FROM ${ROWS_TABLE} WHERE file IN (${partitions.map(({ file }) => file).join(", ")})
    )
    GROUP BY file`);
  return new Map(summaries.map((summary) => [summary.file, summary]));
}

export async function checkPartition(
  database: Database,
  scope: string,
  { node, path, run }: SoundPartition,
  rows: PartitionRows | undefined,
  ledger: Ledger,
): Promise<void> {
  const { say, same } = checksOf(ledger, scope, path);
  same("row counts", "rows", node.rows, rows?.rows ?? 0);
  if (!rows) return;
  say("bbox", rows.faulty === 0, () => `${rows.faulty} rows without a sound geometry or id, such as ${rows.faulty_id}`);
  say(
    "bbox",
    rows.boxless === 0,
    () => `bbox is not the geometry's in ${rows.boxless} rows, such as ${rows.boxless_id}`,
  );
  say(
    "order",
    rows.disordered === 0,
    () => `${rows.disordered} rows not after the one before, such as ${rows.disordered_id}`,
  );
  if (run === "location") {
    say(
      "order",
      rows.first_class === rows.last_class,
      () => `size classes ${rows.first_class} and ${rows.last_class} in one file`,
    );
    const bits = commonBits(rows.least_geohash, rows.greatest_geohash);
    same("geohash", "geohash", spellGeohash(rows.least_geohash, bits), node.geohash);
  } else {
    same("order", "first_id", rows.first_id, node.first_id);
    same("order", "last_id", rows.last_id, node.last_id);
  }
  if (rows.faulty === 0) same("bbox", "bbox of all rows", await boxOf(database, rows), node.bbox);
}

async function boxOf(database: Database, rows: PartitionRows): Promise<BBox> {
  const { west, south, east, north } = rows;
  if (east - west <= 180) return [west, south, east, north];
  const spans = await database.rows<{ west: number; east: number }>(
    `SELECT DISTINCT west, east FROM ${ROWS_TABLE} WHERE file = ${rows.file}`,
  );
  return bboxUnion(spans.map((span): BBox => [span.west, south, span.east, north]));
}

/** That shapes hold the geometries of their partition's rows, in order. Returns the paths that the index names. */
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
    const fault = () => `${different} geometries are not those of ${partition}`;
    checksOf(ledger, name, path).say("shapes", different === 0, fault);
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

import { bboxUnion } from "../../data/format/bbox.ts";
import { compareIds } from "../../data/format/ids.ts";
import type { ManifestCollection, RunName } from "../../data/format/manifest.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import { checksOf, type Ledger } from "./ledger.ts";
import type { PartitionRows } from "./partition-checks.ts";
import type { IndexedPartition } from "./read-index.ts";
import { ROWS_TABLE, type SoundPartition } from "./row-table.ts";

const CITED = 3;

type Pair = readonly [partition: SoundPartition, rows: PartitionRows];

/** That partitions of a run do not overlap, and that the id run's index is in order. */
export function checkOrderAcross(scope: string, run: RunName, pairs: readonly Pair[], ledger: Ledger): void {
  const sorted = run === "location" ? [...pairs].sort(compareFirst) : pairs;
  for (const [i, [partition, rows]] of sorted.entries()) {
    const before = sorted[i - 1];
    if (!before) continue;
    const isAfter = compareKeys(run, lastKey(before), firstKey([partition, rows])) < 0;
    const fault = () => `does not come after ${before[0].path} in the ${run} run`;
    checksOf(ledger, scope, partition.path).say("order", isAfter, fault);
  }
}

interface Key {
  readonly country: string;
  readonly sizeClass: number;
  readonly geohash: number;
  readonly id: string;
}

function firstKey([{ node }, rows]: Pair): Key {
  return { country: node.country, sizeClass: rows.first_class, geohash: rows.first_geohash, id: rows.first_id };
}

function lastKey([{ node }, rows]: Pair): Key {
  return { country: node.country, sizeClass: rows.last_class, geohash: rows.last_geohash, id: rows.last_id };
}

function compareFirst(a: Pair, b: Pair): number {
  return compareKeys("location", firstKey(a), firstKey(b));
}

function compareKeys(run: RunName, a: Key, b: Key): number {
  const place = run === "location" ? a.sizeClass - b.sizeClass || a.geohash - b.geohash : 0;
  return compareIds(a.country, b.country) || place || compareIds(a.id, b.id);
}

export function checkStarts(scope: string, partitions: readonly IndexedPartition[], ledger: Ledger): void {
  const next = new Map<string, number>();
  for (const { node, path } of partitions) {
    const expected = next.get(node.country) ?? 0;
    checksOf(ledger, scope, path).same("counts", "start", expected, node.start);
    next.set(node.country, expected + node.rows);
  }
}

const IDS = "verified_ids";

export async function keepIds(database: Database): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE ${IDS} (run VARCHAR, id VARCHAR)`);
}

/** That the runs hold the same rows; keeps their ids for `checkIds`. */
export async function checkRuns(
  database: Database,
  scope: string,
  partitions: readonly SoundPartition[],
  ledger: Ledger,
): Promise<void> {
  if (partitions.length === 0) return;
  const files = partitions.map(
    ({ file, run, node }) => `(${file}, ${quoteLiteral(run)}, ${quoteLiteral(node.country)})`,
  );
  const rows = `${ROWS_TABLE} JOIN (VALUES ${files.join(", ")}) files(file, run, country) USING (file)`;
  await database.run(`INSERT INTO ${IDS} SELECT run, id FROM ${rows}`);
  const [different] = await database.rows<{ ids: number; cited: readonly string[] | null }>(`
    SELECT count(*) AS ids, list(id ORDER BY id)[:${CITED}] AS cited
    FROM (
      SELECT DISTINCT id FROM ${rows} GROUP BY id, country, hash
      HAVING count(*) FILTER (run = 'location') <> count(*) FILTER (run = 'id')
    )`);
  const fault = () => `location and id run differ in ${different?.ids} rows, such as ${different?.cited?.join(", ")}`;
  checksOf(ledger, scope, scope).say("runs", different?.ids === 0, fault);
}

/** That ids are unique in each run, over all countries. */
export async function checkIds(database: Database, scope: string, ledger: Ledger): Promise<void> {
  const [repeated] = await database.rows<{ ids: number; cited: readonly string[] | null }>(`
    SELECT count(*) AS ids, list(id ORDER BY id)[:${CITED}] AS cited
    FROM (SELECT DISTINCT id FROM ${IDS} GROUP BY run, id HAVING count(*) > 1)`);
  await database.run(`DROP TABLE ${IDS}`);
  const fault = () => `${repeated?.ids} ids repeated, such as ${repeated?.cited?.join(", ")}`;
  checksOf(ledger, scope, scope).say("ids", repeated?.ids === 0, fault);
}

export function checkTotals(
  scope: string,
  manifest: ManifestCollection,
  run: RunName,
  partitions: readonly IndexedPartition[],
  rowsOf: (partition: IndexedPartition) => number,
  ledger: Ledger,
): void {
  const { same } = checksOf(ledger, scope, "manifest.json");
  const countries: Record<string, number> = {};
  for (const partition of partitions) {
    const { country } = partition.node;
    countries[country] = (countries[country] ?? 0) + rowsOf(partition);
  }
  const sorted = Object.fromEntries(Object.entries(countries).sort(([a], [b]) => (a < b ? -1 : 1)));
  const rows = Object.values(countries).reduce((sum, count) => sum + count, 0);
  const bytes = partitions.reduce((sum, { node }) => sum + node.bytes, 0);
  same("counts", `${scope} rows, by the ${run} run,`, rows, manifest.rows);
  same("counts", `${scope} countries, by the ${run} run,`, sorted, manifest.countries);
  same("counts", `${scope} runs.${run}.partitions`, partitions.length, manifest.runs[run].partitions);
  same("counts", `${scope} runs.${run}.bytes`, bytes, manifest.runs[run].bytes);
  // from partitions, not pages: a page closes the gap between its members
  const boxes = partitions.map(({ node }) => node.bbox);
  if (run === "location" && boxes.length > 0) same("counts", `${scope} bbox`, bboxUnion(boxes), manifest.bbox);
}

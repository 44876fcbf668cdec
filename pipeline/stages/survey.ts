import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { COLLECTIONS } from "../../data/format/collections.ts";
import { GEOHASH_BITS } from "../../data/format/geohash.ts";
import { RUN_NAMES, type RunName } from "../../data/format/manifest.ts";
import {
  type Bucket,
  type CellKeys,
  countCells,
  cutBuckets,
  leafRanges,
  MOST_ROWS,
  measureRowTarget,
  planRun,
  sampleCells,
} from "../partitions/index.ts";
import { type BuildPlan, readFacts, type SurveyTask, taskFolder } from "../plan/index.ts";
import { writeLosers } from "./duplicates.ts";
import { type Parts, rowsSql } from "./row-files.ts";
import type { TaskContext } from "./task-context.ts";

const KEYS = "order_keys";
const LOSERS_FILE = "losers.parquet";

const COUNTED: Readonly<Record<RunName, CellKeys>> = {
  location: { table: KEYS, sizeClass: "_size_class", key: "_geohash" },
  id: { table: KEYS, sizeClass: "0", key: "_id_key" },
};

export interface SurveyFacts {
  readonly parts: readonly string[];
  readonly rows: number;
  /** In order. */
  readonly countries: readonly (readonly [country: string, rows: number])[];
  /** Duplicates that were left out. */
  readonly losers: number;
  readonly target: number;
}

/** Finds duplicates, how many rows a partition takes, and where runs are cut; writes a file for each bucket. */
export async function survey(
  { plan, database, folder, scratch }: TaskContext,
  { collection, parts, buckets }: SurveyTask,
): Promise<SurveyFacts> {
  const losersFile = join(folder, LOSERS_FILE);
  const losers = await writeLosers(database, { work: plan.work, parts }, losersFile);
  const kept: Parts = { work: plan.work, parts, losers: losers > 0 ? losersFile : undefined };
  await database.run(`
    CREATE TABLE ${KEYS} AS
    SELECT _country, _size_class, _geohash, _ident & ${2 ** GEOHASH_BITS - 1} AS _id_key FROM ${rowsSql(kept, "location")}`);
  const counted = await database.rows<{ country: string; rows: number }>(
    `SELECT _country AS country, count(*) AS rows FROM ${KEYS} GROUP BY 1 ORDER BY 1`,
  );
  const countries = counted.map(({ country, rows }) => [country, rows] as const);
  const rows = countries.reduce((sum, [, count]) => sum + count, 0);
  if (rows === 0) return { parts, rows, countries, losers, target: MOST_ROWS };
  const largest = planRun(await countCells(database, COUNTED.location, MOST_ROWS), MOST_ROWS);
  const columns = COLLECTIONS[collection].columns.map(({ name }) => name);
  const measured = { rows: rowsSql(kept, "location"), columns, folder: scratch };
  const target = await measureRowTarget(database, measured, sampleCells(leafRanges(largest)));
  for (const run of RUN_NAMES) {
    const cut = cutBuckets(planRun(await countCells(database, COUNTED[run], target), target), buckets);
    for (const [index, bucket] of cut.entries()) {
      if (bucket) await writeFile(join(folder, bucketFile(run, index)), JSON.stringify(bucket));
    }
  }
  return { parts, rows, countries, losers, target };
}

function bucketFile(run: RunName, index: number): string {
  return `${run}-${index}.json`;
}

/** Undefined when the bucket is empty. */
export async function readBucket(
  { work }: BuildPlan,
  survey: string,
  { run, index }: { run: RunName; index: number },
): Promise<Bucket | undefined> {
  const path = join(taskFolder(work, survey), bucketFile(run, index));
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as Bucket);
}

export function losersPath(work: string, survey: string): string {
  return join(taskFolder(work, survey), LOSERS_FILE);
}

/** What a survey found, and its rows without duplicates. */
export async function readSurvey({ work }: BuildPlan, survey: string): Promise<{ kept: Parts; facts: SurveyFacts }> {
  const facts = await readFacts<SurveyFacts>(work, survey);
  const losers = facts.losers > 0 ? losersPath(work, survey) : undefined;
  return { kept: { work, parts: facts.parts, losers }, facts };
}

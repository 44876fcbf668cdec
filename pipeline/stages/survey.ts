import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { COLLECTIONS } from "../../data/format/collections.ts";
import { GEOHASH_BITS } from "../../data/format/geohash.ts";
import type { RunName, Slice } from "../../data/format/manifest.ts";
import { countRows, type Database, quoteLiteral } from "../database/index.ts";
import { deflate, writePack } from "../packs/index.ts";
import {
  type Bucket,
  type CellKeys,
  countCells,
  cutBuckets,
  leafRanges,
  MOST_ROWS,
  type PlannedLeaf,
  planMixedPacks,
  planPacks,
  planRun,
  rowTarget,
  sampleCells,
} from "../partitions/index.ts";
import { type BuildPlan, readFacts, type SurveyTask, taskFolder } from "../plan/index.ts";
import { measureRows } from "./measure-rows.ts";
import { type Parts, partFilesSql, partOfFileSql, rowsSql, type TaskContext } from "./row-files.ts";

const KEYS = "order_keys";
const LOSERS_FILE = "losers.parquet";
const DICTIONARY_FILE = "dictionary.bin";

const COUNTED: Readonly<Record<RunName, CellKeys>> = {
  location: { table: KEYS, sizeClass: "_size_class", key: "_geohash" },
  records: { table: KEYS, sizeClass: "0", key: "_id_key" },
};

export interface SurveyFacts {
  readonly parts: readonly string[];
  readonly rows: number;
  /** In order. */
  readonly countries: readonly (readonly [country: string, rows: number])[];
  /** Duplicates that were left out. */
  readonly losers: number;
  /** Where the published dictionary stands; undefined when there are no rows. */
  readonly dictionary?: Slice;
}

/** Finds duplicates, how many rows a slice takes, and where runs are cut; writes a file for each bucket. */
export async function survey(
  { plan, database, folder, scratch }: TaskContext,
  { collection, parts, buckets, packBytes }: SurveyTask,
): Promise<SurveyFacts> {
  const losersFile = join(folder, LOSERS_FILE);
  const losers = await writeLosers(database, { work: plan.work, parts }, losersFile);
  const kept: Parts = { work: plan.work, parts, losers: losers > 0 ? losersFile : undefined };
  await database.run(`
    CREATE TABLE ${KEYS} AS
    SELECT _country, _size_class, _geohash, _ident & ${2 ** GEOHASH_BITS - 1} AS _id_key FROM ${rowsSql(kept)}`);
  const counted = await database.rows<{ country: string; rows: number }>(
    `SELECT _country AS country, count(*) AS rows FROM ${KEYS} GROUP BY 1 ORDER BY 1`,
  );
  const countries = counted.map(({ country, rows }) => [country, rows] as const);
  const rows = countries.reduce((sum, [, count]) => sum + count, 0);
  if (rows === 0) return { parts, rows, countries, losers };
  const leavesOf = async (run: RunName, target: number): Promise<PlannedLeaf[]> =>
    planRun(await countCells(database, COUNTED[run], target), target);
  const cells = sampleCells(leafRanges(await leavesOf("location", MOST_ROWS)));
  const measured = await measureRows(database, {
    collection: COLLECTIONS[collection],
    rows: rowsSql(kept),
    cells,
    scratch,
  });
  const { slice: rowBytes, points: besideBytes, record, stretchRows, dictionary } = measured;
  const location = planPacks(await leavesOf("location", rowTarget(rowBytes)), { packBytes, rowBytes, besideBytes });
  const records = planMixedPacks(await leavesOf("records", stretchRows), { packBytes, rowBytes: record });
  for (const [run, units] of Object.entries({ location, records })) {
    for (const [index, bucket] of cutBuckets(units, buckets).entries()) {
      if (bucket) await writeFile(join(folder, bucketFile(run as RunName, index)), JSON.stringify(bucket));
    }
  }
  await writeFile(join(folder, DICTIONARY_FILE), dictionary);
  const place = { folder, collection, kind: "dictionary" } as const;
  const [published] = await writePack(place, [deflate(dictionary)]);
  return { parts, rows, countries, losers, ...(published ? { dictionary: published } : {}) };
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

export async function readDictionary({ work }: BuildPlan, survey: string): Promise<Uint8Array> {
  return readFile(join(taskFolder(work, survey), DICTIONARY_FILE));
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

/** Writes the rows to leave out, as `part _row id detail`; returns how many they are. */
async function writeLosers(database: Database, { work, parts }: Parts, path: string): Promise<number> {
  const files = partFilesSql({ work, parts });
  // hashes are smaller than ids, and most collections have no duplicates
  await database.run(`
    CREATE TABLE twins AS
    SELECT twin FROM (SELECT hash(id) AS twin FROM read_parquet(${files})) GROUP BY twin HAVING count(*) > 1`);
  const places = parts.map((key, index) => `(${quoteLiteral(key)}, ${index})`).join(", ");
  await database.run(`
    CREATE TABLE losers AS
    SELECT part, _row, id, 'version ' || version || ', kept is version ' || best AS detail
    FROM (
      SELECT part, _row, id, version, max(version) OVER same AS best, row_number() OVER same AS rank
      FROM (
        SELECT ${partOfFileSql("r")} AS part, _row, id, "version" AS version
        FROM read_parquet(${files}, filename = true) r WHERE hash(id) IN (FROM twins)
      ) JOIN (VALUES ${places}) parts(part, place) USING (part)
      WINDOW same AS (PARTITION BY id ORDER BY version DESC, place, _row)
    ) WHERE rank > 1`);
  await database.run(`COPY (FROM losers ORDER BY part, _row) TO ${quoteLiteral(path)} (FORMAT parquet)`);
  const rows = await countRows(database, "losers");
  await database.run("DROP TABLE twins");
  await database.run("DROP TABLE losers");
  return rows;
}

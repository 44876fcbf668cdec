import { join } from "node:path";
import type { CollectionName } from "../../../data/format/collections.ts";
import { countRows, type Database, quoteLiteral } from "../../base/database/index.ts";
import {
  type BuildPlan,
  type DuplicatesTask,
  duplicatesTasks,
  partTasks,
  readFacts,
  taskFolder,
} from "../plan/index.ts";
import { DUPLICATES_FILE, idsSql, type Parts, partOfFileSql, type TaskContext } from "./row-files.ts";

const SAMPLE_FILE = "sample.parquet";

/**
 * Number of rows from which sizes of records are estimated and the compression dictionary is made: those with the
 * lowest id hashes.
 */
export const SAMPLED_RECORDS = 512;

const HASHES = 2n ** 64n;

interface DuplicatesFacts {
  readonly duplicates: number;
}

/**
 * Writes the duplicates among the rows whose id hashes are in the task's range. Of the rows with an id, the first one
 * with the highest version stays. Also writes a sample: those of the other rows with the lowest hashes.
 */
export async function duplicates(
  { plan, database, folder }: TaskContext,
  { collection, share, shares }: DuplicatesTask,
): Promise<DuplicatesFacts> {
  const parts = partTasks(plan, collection);
  const first = (ordinal: number): bigint => (HASHES * BigInt(ordinal)) / BigInt(shares);
  const ids = `(FROM ${idsSql({ work: plan.work, parts })} WHERE hash BETWEEN ${first(share)}::UBIGINT AND ${first(share + 1) - 1n}::UBIGINT)`;
  await makeDuplicates(database, ids, parts);
  const [duplicatesFile, sample] = [DUPLICATES_FILE, SAMPLE_FILE].map((name) => quoteLiteral(join(folder, name)));
  await database.run(`COPY (FROM duplicates ORDER BY part, _row) TO ${duplicatesFile} (FORMAT parquet)`);
  await database.run(`
    COPY (
      SELECT hash, id, _ident FROM ${ids} r
      WHERE NOT EXISTS (FROM duplicates l WHERE l.part = ${partOfFileSql("r")} AND l._row = r._row)
      ORDER BY hash, id LIMIT ${SAMPLED_RECORDS}
    ) TO ${sample} (FORMAT parquet)`);
  return { duplicates: await countRows(database, "duplicates") };
}

/** Makes the table of duplicates, as `part _row id detail`. */
async function makeDuplicates(database: Database, ids: string, parts: readonly string[]): Promise<void> {
  // Hashes are smaller than ids, and most collections have no duplicates.
  await database.run(`CREATE TABLE twins AS SELECT hash FROM ${ids} GROUP BY hash HAVING count(*) > 1`);
  const ordinals = parts.map((key, index) => `(${quoteLiteral(key)}, ${index})`).join(", ");
  await database.run(`
    CREATE TABLE duplicates AS
    SELECT part, _row, id, 'version ' || version || ', kept is version ' || best AS detail
    FROM (
      SELECT part, _row, id, version, max(version) OVER same AS best, row_number() OVER same AS rank
      FROM (
        SELECT ${partOfFileSql("r")} AS part, _row, id, version FROM ${ids} r WHERE hash IN (FROM twins)
      ) JOIN (VALUES ${ordinals}) parts(part, ordinal) USING (part)
      WINDOW same AS (PARTITION BY id ORDER BY version DESC, ordinal, _row)
    ) WHERE rank > 1`);
}

/** Returns the path of the sample that this task wrote, with the columns `hash id _ident`. */
export function samplePath(work: string, task: string): string {
  return join(taskFolder(work, task), SAMPLE_FILE);
}

/**
 * Returns which files have the collection's rows and its duplicates, for `rowsSql`, and the number of duplicates.
 * Throws if a task is not finished.
 */
export async function keptRows(
  plan: BuildPlan,
  collection: CollectionName,
): Promise<{ kept: Parts; duplicates: number }> {
  const found: string[] = [];
  let duplicates = 0;
  for (const key of duplicatesTasks(plan, collection)) {
    const facts = await readFacts<DuplicatesFacts>(plan.work, key);
    if (facts.duplicates > 0) found.push(key);
    duplicates += facts.duplicates;
  }
  return { kept: { work: plan.work, parts: partTasks(plan, collection), duplicateTasks: found }, duplicates };
}

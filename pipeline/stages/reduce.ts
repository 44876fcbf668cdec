import { COLLECTIONS } from "../../data/format/collections.ts";
import { countRows, quoteIdentifier } from "../database/index.ts";
import { type MadePartition, twkbFunction, writePartitions } from "../partitions/index.ts";
import type { ReduceTask } from "../plan/index.ts";
import { ORDER_COLUMN } from "../rows/index.ts";
import { rowsSql } from "./row-files.ts";
import { readBucket, readSurvey } from "./survey.ts";
import type { TaskContext } from "./task-context.ts";

const SORTED = "sorted";

export interface ReduceFacts {
  readonly partitions: readonly MadePartition[];
}

/** Reads a bucket of a run from all parts, sorts it, and cuts it into partitions. */
export async function reduce(
  { plan, database, folder }: TaskContext,
  { collection, run, survey, bucket: index }: ReduceTask,
): Promise<ReduceFacts> {
  const bucket = await readBucket(plan, survey, { run, index });
  if (!bucket) return { partitions: [] };
  const { kept } = await readSurvey(plan, survey);
  database.register(twkbFunction());
  const columns = COLLECTIONS[collection].columns.map(({ name }) => name);
  const key = ORDER_COLUMN[run];
  await database.run(`
    CREATE TABLE ${SORTED} AS
    SELECT ${columns.map(quoteIdentifier).join(", ")}, _geohash, _kind FROM ${rowsSql(kept, run)}
    WHERE ${key} >= ${bucket.start} AND ${key} < ${bucket.end} ORDER BY ${key}, id`);
  const first = bucket.partitions[0]?.start ?? 0;
  const planned = bucket.partitions.map((leaf) => ({ ...leaf, start: leaf.start - first, end: leaf.end - first }));
  const rows = await countRows(database, SORTED);
  const expected = planned.at(-1)?.end ?? 0;
  if (rows !== expected)
    throw new Error(`${collection}: ${run} run, bucket ${index} has ${rows} rows, expected ${expected}`);
  return { partitions: await writePartitions(database, { collection, run, table: SORTED, columns, folder }, planned) };
}

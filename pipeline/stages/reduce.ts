import type { LocationNode } from "../../data/format/manifest.ts";
import { collectionIn } from "../../data/format/own-collections.ts";
import { firstNumberOf } from "../../data/format/records.ts";
import { countRows, quoteIdentifier } from "../database/index.ts";
import { writeUnits } from "../partitions/index.ts";
import type { ReduceTask } from "../plan/index.ts";
import { ORDER_COLUMN } from "../rows/index.ts";
import { numberedSql, readNumbering } from "./numbered-rows.ts";
import type { TaskContext } from "./row-files.ts";
import { readBucket } from "./survey.ts";

const SORTED = "sorted";

export interface ReduceFacts {
  readonly partitions: readonly LocationNode[];
}

/** Sorts a bucket of the location run from the numbered rows of its countries, and cuts it into slices. */
export async function reduce(
  { plan, database, folder }: TaskContext,
  { collection, survey, of, bucket: index }: ReduceTask,
): Promise<ReduceFacts> {
  const bucket = await readBucket(plan, survey, { run: "location", index });
  if (!bucket) return { partitions: [] };
  const numbering = await readNumbering(plan, { survey, of });
  const columns = collectionIn(plan, collection).columns.map(({ name }) => name);
  const key = ORDER_COLUMN.location;
  await database.run(`
    CREATE TABLE ${SORTED} AS
    SELECT ${columns.map(quoteIdentifier).join(", ")}, _geohash, _kind, _number::DOUBLE AS _number
    FROM ${numberedSql(plan, numbering)} WHERE ${key} >= ${bucket.start} AND ${key} < ${bucket.end} ORDER BY ${key}, id`);
  const leaves = bucket.units.flatMap(({ packs }) => packs.flat());
  const expected = leaves.at(-1)?.end ?? 0;
  const rows = await countRows(database, SORTED);
  if (rows !== expected) {
    throw new Error(`${collection}: bucket ${index} of the location run has ${rows} rows, expected ${expected}`);
  }
  const into = {
    collection,
    table: SORTED,
    columns,
    folder,
    level: plan.level,
    firstNumberOf: (country: string) => firstNumberOf(numbering.firstStretches.get(country) ?? 0),
  };
  return { partitions: await writeUnits(database, into, bucket.units) };
}

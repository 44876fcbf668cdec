import { join } from "node:path";
import { GEOHASH_BITS } from "../../../data/format/geohash.ts";
import { collectionIn } from "../../../data/format/own-collections.ts";
import { quoteLiteral } from "../../base/database/index.ts";
import { tallyCells } from "../partitions/index.ts";
import { type TallyTask, taskFolder } from "../plan/index.ts";
import { CUT_RUNS, type CutRun, orderKey } from "../rows/index.ts";
import { keptRows } from "./duplicates.ts";
import { type CountryContent, contentsSql, duplicatesSql, rowsSql, type TaskContext } from "./row-files.ts";

const KEYS = "order_keys";

/** Minimum rows of a slice. Counts of this size are enough to cut larger slices. */
const TALLY_ROWS = 256;

/** Bits of cells that are not shared by two tasks, about 20 km wide. */
const SHARED_BITS = 20;

export interface TallyFacts {
  /** The duplicates, which are not counted, by country. */
  readonly lost: readonly CountryContent[];
}

/** SQL of the keys of both runs, as input of `tallyCells`. */
const COUNTED_KEYS: Readonly<Record<CutRun, string>> = {
  location: "_country AS country, _size_class AS size_class, _geohash AS key, 1 AS rows",
  ids: `_country AS country, 0 AS size_class, _ident & ${2 ** GEOHASH_BITS - 1} AS key, 1 AS rows`,
};

/**
 * Counts the rows without duplicates of some countries in the cells of both runs, or in the task's share of the cells.
 */
export async function tally(
  { plan, database, folder }: TaskContext,
  { collection, first, last, share, shares }: TallyTask,
): Promise<TallyFacts> {
  const { kept } = await keptRows(plan, collection);
  // Ids have only one size class.
  const [start, length] = [orderKey(first, 0, 0), orderKey(last, 1, 0) - orderKey(first, 0, 0)];
  const within = (from: number, to: number): string => {
    const [low, high] = [from, to].map((place) => start + (length * BigInt(place)) / BigInt(shares));
    return `_ident >= ${low} AND _ident < ${high}`;
  };
  const isMine = (key: string): string =>
    shares === 1 ? "true" : `hash(${key} >> ${GEOHASH_BITS - SHARED_BITS}) % ${shares} = ${share}`;
  await database.run(`
    CREATE TABLE ${KEYS} AS
    SELECT _country, _size_class, _geohash, _ident, ${isMine("_location")} AS _by_location, ${isMine("_ident")} AS _by_ids
    FROM ${rowsSql(kept)} WHERE ${within(0, shares)} AND (_by_location OR _by_ids)`);
  for (const run of CUT_RUNS) {
    const from = `(SELECT ${COUNTED_KEYS[run]} FROM ${KEYS} WHERE _by_${run})`;
    const leastBits = shares === 1 ? undefined : SHARED_BITS;
    await tallyCells(database, { from, leastBits }, { table: run, target: TALLY_ROWS });
    await database.run(`COPY ${run} TO ${quoteLiteral(join(folder, cellsFile(run)))} (FORMAT parquet)`);
  }
  if (kept.duplicateTasks.length === 0) return { lost: [] };
  const lost = `(FROM ${duplicatesSql(kept)} WHERE ${within(share, share + 1)})`;
  return { lost: await database.rows<CountryContent>(contentsSql(collectionIn(plan, collection), lost)) };
}

function cellsFile(run: CutRun): string {
  return `${run}-cells.parquet`;
}

/**
 * Returns the path of the counts of a run that this task wrote, as from `tallyCells` with a target of `TALLY_ROWS`
 * rows.
 */
export function cellsPath(work: string, tally: string, run: CutRun): string {
  return join(taskFolder(work, tally), cellsFile(run));
}

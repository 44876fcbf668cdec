/**
 * Terms: the term run of some countries; no country's depends on another's.
 * @module
 */

import { join } from "node:path";
import { COLLECTIONS } from "../../data/format/collections.ts";
import type { PartitionNode } from "../../data/format/manifest.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import { shareCountries } from "../partitions/index.ts";
import type { TermsTask } from "../plan/index.ts";
import { endOfCountry, orderKey } from "../rows/index.ts";
import { makeTermPartitions, rowTerms, stagedSql, WORLDWIDE } from "../term-runs/index.ts";
import { rowsSql } from "./row-files.ts";
import { readSurvey } from "./survey.ts";
import type { TaskContext } from "./task-context.ts";

const STAGED = "staged";

/** Each slice of the run looks at all rows of its countries: of one with more, often enough that packing them pays. */
const MOST_UNPACKED_ROWS = 512 * 1024;

export interface TermsFacts {
  /** In the run's order. */
  readonly partitions: readonly PartitionNode[];
}

/** Carries out the task. */
export async function terms(
  { plan, database, folder, scratch }: TaskContext,
  { collection, survey, bucket, buckets }: TermsTask,
): Promise<TermsFacts> {
  const { kept, facts } = await readSurvey(plan, survey);
  const countries = shareCountries(facts.countries, buckets)[bucket] ?? [];
  const [first, last] = [countries[0], countries.at(-1)];
  if (first === undefined || last === undefined) return { partitions: [] };
  database.register(rowTerms());
  // rows of a country stand together, so that one country's are found without the others
  const order = WORLDWIDE.has(collection) ? "id" : "_country, id";
  const rows = `(
    FROM ${rowsSql(kept, "id")} WHERE _ident >= ${orderKey(first, 0, 0)} AND _ident < ${endOfCountry(last)})`;
  const mine = new Set(countries);
  const isLarge = facts.countries.some(([country, rows]) => mine.has(country) && rows > MOST_UNPACKED_ROWS);
  const home = isLarge ? await attachPacked(database, scratch) : IN_MEMORY;
  const staged = `${home}.${STAGED}`;
  await database.run(`CREATE TABLE ${staged} AS ${stagedSql(COLLECTIONS[collection], rows)} ORDER BY ${order}`);
  const options = { collection: COLLECTIONS[collection], staged, home, target: facts.target, folder };
  return { partitions: await makeTermPartitions(database, options) };
}

/** The database that tables stand in when nothing is said. */
export const IN_MEMORY = "memory";

const PACKED = "packed";

/**
 * Makes a database in a file below the folder, and returns its name. Tables in it take a fifth of what they take in memory;
 * what is read of them can be let go without being written again. Packing costs as much as a few looks at all rows.
 */
export async function attachPacked(database: Database, folder: string): Promise<string> {
  await database.run(
    `ATTACH ${quoteLiteral(join(folder, `${PACKED}.duckdb`))} AS ${PACKED} (STORAGE_VERSION 'latest')`,
  );
  return PACKED;
}

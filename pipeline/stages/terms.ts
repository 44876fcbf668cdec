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

/** Each slice scans all rows of its countries: with more rows packing pays. */
const MOST_UNPACKED_ROWS = 512 * 1024;

export interface TermsFacts {
  readonly partitions: readonly PartitionNode[];
}

/** Makes the term run of some countries; none depends on another's. */
export async function terms(
  { plan, database, folder, scratch }: TaskContext,
  { collection, survey, bucket, buckets }: TermsTask,
): Promise<TermsFacts> {
  const { kept, facts } = await readSurvey(plan, survey);
  const countries = shareCountries(facts.countries, buckets)[bucket] ?? [];
  const [first, last] = [countries[0], countries.at(-1)];
  if (first === undefined || last === undefined) return { partitions: [] };
  database.register(rowTerms());
  // so that one country's rows are found without scanning the others
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

export const IN_MEMORY = "memory";

const PACKED = "packed";

/**
 * Attaches a file database and returns its name. Tables in it take a fifth of the memory and need not be spilled;
 * packing costs as much as a few scans.
 */
export async function attachPacked(database: Database, folder: string): Promise<string> {
  await database.run(
    `ATTACH ${quoteLiteral(join(folder, `${PACKED}.duckdb`))} AS ${PACKED} (STORAGE_VERSION 'latest')`,
  );
  return PACKED;
}

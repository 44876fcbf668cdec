/** Parts: rows of a collection as tasks hand them on, in the order of ids. @module */
import { join } from "node:path";
import { COLLECTIONS, type CollectionName } from "../../data/format/collections.ts";
import { type Database, quoteIdentifier, quoteLiteral, quotePath } from "../database/index.ts";
import { type BuildPlan, taskFolder } from "../plan/index.ts";
import { rowHashSql } from "../records/index.ts";
import { KEY_COLUMNS, ORDER_COLUMN } from "../rows/index.ts";

export interface TaskContext {
  readonly plan: BuildPlan;
  readonly database: Database;
  /** Kept. */
  readonly folder: string;
  /** Removed when the task ends. */
  readonly scratch: string;
}

/** Small, since a range of keys is read by whole row groups. */
const ROW_GROUP_ROWS = 10 * 2048;

const PART_FILE = "by-id.parquet";

/** Rows of a country: how many, and their hashes as one, which does not depend on their order nor on which file has them. */
export interface CountryContent {
  readonly country: string;
  readonly rows: number;
  readonly hash: string;
}

/** SQL of the contents of rows, in the order of countries. */
export function contentsSql(collection: CollectionName, from: string): string {
  return `
    SELECT _country AS country, count(*) AS rows, bit_xor(${rowHashSql(COLLECTIONS[collection])})::VARCHAR AS hash
    FROM ${from} GROUP BY 1 ORDER BY 1`;
}

export interface PartFacts {
  readonly rows: number;
  readonly countries: readonly CountryContent[];
}

export async function writePart(
  database: Database,
  { collection, table, folder }: { collection: CollectionName; table: string; folder: string },
): Promise<PartFacts> {
  const columns = COLLECTIONS[collection].columns.map(({ name }) => quoteIdentifier(name));
  const sql = `SELECT ${[...columns, ...KEY_COLUMNS].join(", ")} FROM ${table} ORDER BY ${ORDER_COLUMN.records}`;
  await copyRows(database, sql, join(folder, PART_FILE));
  const countries = await database.rows<CountryContent>(contentsSql(collection, table));
  return { rows: countries.reduce((sum, { rows }) => sum + rows, 0), countries };
}

/** Writes rows that another task reads by ranges of what they are sorted by. */
export async function copyRows(database: Database, sql: string, path: string): Promise<void> {
  await database.run(
    `COPY (${sql}) TO ${quoteLiteral(path)} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`,
  );
}

export interface Parts {
  readonly work: string;
  readonly parts: readonly string[];
  /** File of the rows to leave out. */
  readonly losers?: string | undefined;
}

export function partFilesSql({ work, parts }: Parts): string {
  return `[${parts.map((key) => quotePath(join(taskFolder(work, key), PART_FILE))).join(", ")}]`;
}

/** SQL of the rows, quick to read by ranges of `_ident`. */
export function rowsSql(parts: Parts): string {
  const files = partFilesSql(parts);
  const { losers } = parts;
  return losers === undefined ? `read_parquet(${files})` : joinLosers(files, "NOT EXISTS", losers);
}

/** SQL of the rows to leave out. */
export function losersSql(parts: Parts): string {
  if (parts.losers === undefined) throw new Error("no rows are left out");
  return joinLosers(partFilesSql(parts), "EXISTS", parts.losers);
}

function joinLosers(files: string, which: "EXISTS" | "NOT EXISTS", losers: string): string {
  return `(
    SELECT * EXCLUDE (filename) FROM read_parquet(${files}, filename = true) r
    WHERE ${which} (FROM read_parquet(${quotePath(losers)}) l WHERE l.part = ${partOfFileSql("r")} AND l._row = r._row))`;
}

/** SQL of the part's key, for rows read with their `filename`. */
export function partOfFileSql(relation: string): string {
  return `string_split(${relation}.filename, '/')[-2]`;
}

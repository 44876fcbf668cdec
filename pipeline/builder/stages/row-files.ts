/**
 * Parts: files with the rows of a collection in the order of ids, which tasks write for other tasks.
 * @module
 */
import { join } from "node:path";
import type { Collection } from "../../../data/format/collections.ts";
import { type Database, quoteIdentifier, quoteLiteral, quotePath } from "../../base/database/index.ts";
import { type BuildPlan, taskFolder } from "../plan/index.ts";
import { rowHashSql } from "../records/index.ts";
import { KEY_COLUMNS, ORDER_COLUMN } from "../rows/index.ts";

/** What a task without SQL has. */
export interface FileContext {
  readonly plan: BuildPlan;
  /** Folder for the output of the task. */
  readonly folder: string;
  /** Folder for temporary files, removed when the task ends. */
  readonly scratch: string;
}

export interface TaskContext extends FileContext {
  readonly database: Database;
}

/** Small, because ranges of keys are read in full row groups. */
const ROW_GROUP_ROWS = 10 * 2048;

const PART_FILE = "by-id.parquet";
const IDS_FILE = "ids.parquet";
export const DUPLICATES_FILE = "duplicates.parquet";

/** Number of rows of a country, and a hash of all of them that does not depend on their order and files. */
export interface CountryContent {
  readonly country: string;
  readonly rows: number;
  readonly hash: string;
}

/**
 * Returns a query of the `CountryContent` of each country among the rows of a FROM clause, in the order of countries.
 */
export function contentsSql(collection: Collection, from: string): string {
  return `
    SELECT _country AS country, count(*) AS rows, bit_xor(${rowHashSql(collection)})::VARCHAR AS hash
    FROM ${from} GROUP BY 1 ORDER BY 1`;
}

export interface PartFacts {
  readonly rows: number;
  readonly countries: readonly CountryContent[];
}

/**
 * Writes the checked rows of a table into two files in the folder: the rows in the order of ids, and their ids in the
 * order of hashes. Returns number and hash of the rows by country.
 */
export async function writePart(
  database: Database,
  { collection, table, folder }: { collection: Collection; table: string; folder: string },
): Promise<PartFacts> {
  const columns = collection.columns.map(({ name }) => quoteIdentifier(name));
  const sql = `SELECT ${[...columns, ...KEY_COLUMNS].join(", ")} FROM ${table} ORDER BY ${ORDER_COLUMN.ids}`;
  await copyRows(database, sql, join(folder, PART_FILE));
  const ids = `SELECT hash(id) AS hash, id, "version", _row, _ident FROM ${table} ORDER BY hash`;
  await copyRows(database, ids, join(folder, IDS_FILE));
  const countries = await database.rows<CountryContent>(contentsSql(collection, table));
  return { rows: countries.reduce((sum, { rows }) => sum + rows, 0), countries };
}

/**
 * Writes the rows of a query to a Parquet file that other tasks read by ranges of the sort key. It is a third smaller
 * than with Snappy, and written as fast.
 */
export async function copyRows(database: Database, sql: string, path: string): Promise<void> {
  await database.run(
    `COPY (${sql}) TO ${quoteLiteral(path)} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`,
  );
}

/** Which tasks wrote the rows of a collection, and which found its duplicates. */
export interface Parts {
  readonly work: string;
  readonly parts: readonly string[];
  /** Keys of the tasks that found duplicates. */
  readonly duplicateTasks: readonly string[];
}

type Files = Pick<Parts, "work" | "parts">;

function partFilesSql({ work, parts }: Files): string {
  return listSql(parts.map((key) => join(taskFolder(work, key), PART_FILE)));
}

/**
 * Returns a FROM clause of `hash id version _row _ident` and `filename` of all rows, duplicates included. Reading
 * ranges of `hash`, the hash of the id, is fast.
 */
export function idsSql({ work, parts }: Files): string {
  return `read_parquet(${listSql(parts.map((key) => join(taskFolder(work, key), IDS_FILE)))}, filename = true)`;
}

/** Returns the path of the duplicates that this task found, with the columns `part _row id detail`. */
export function duplicatesPath(work: string, task: string): string {
  return join(taskFolder(work, task), DUPLICATES_FILE);
}

/** Returns the paths as a SQL list. */
export function listSql(paths: readonly string[]): string {
  return `[${paths.map(quotePath).join(", ")}]`;
}

/** Returns a FROM clause of the rows without duplicates. Reading ranges of `_ident` is fast. */
export function rowsSql(parts: Parts): string {
  return parts.duplicateTasks.length === 0
    ? `read_parquet(${partFilesSql(parts)})`
    : joinDuplicates(parts, "NOT EXISTS");
}

/** Returns a FROM clause of the duplicates. `duplicateTasks` must not be empty. */
export function duplicatesSql(parts: Parts): string {
  return joinDuplicates(parts, "EXISTS");
}

function joinDuplicates(parts: Parts, which: "EXISTS" | "NOT EXISTS"): string {
  const duplicates = listSql(parts.duplicateTasks.map((key) => duplicatesPath(parts.work, key)));
  return `(
    SELECT * EXCLUDE (filename) FROM read_parquet(${partFilesSql(parts)}, filename = true) r
    WHERE ${which} (FROM read_parquet(${duplicates}) l WHERE l.part = ${partOfFileSql("r")} AND l._row = r._row))`;
}

/** Returns a SQL expression of the key of the task that wrote a row, for a relation with `filename`. */
export function partOfFileSql(relation: string): string {
  return `string_split(${relation}.filename, '/')[-2]`;
}

/**
 * Converts a user's table to a collection with its own schema. Its rows are written as Parquet, which the build reads
 * like any other source.
 * @module
 */

import { createHash } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Attribution } from "../../../data/format/manifest.ts";
import { isOwnName, writtenName } from "../../../data/format/own-collections.ts";
import { OWN_TYPES, type OwnSchema, type OwnType } from "../../../data/format/own-schema.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { TableError } from "../../../data/tables/index.ts";
import { appendRow, type Database, quoteLiteral } from "../../base/database/index.ts";
import { hashFile, makeFolder } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type Described, type DescribedColumn, describeColumns } from "./describe-columns.ts";
import { geocodedRows } from "./geocode-rows.ts";
import { isReject, openRows, type RowSource, type SourceReject, type SourceRow } from "./row-source.ts";
import { roleOrigin, statedOptions } from "./stated-options.ts";
import type { TableOptions } from "./table-options.ts";

/** A table as the build reads it. */
interface OwnTable {
  readonly name: string;
  readonly schema: OwnSchema;
  /** Parquet with `id`, `geometry` as WKB and the columns of the schema. */
  readonly path: string;
  /** Parquet with `id`, `reason`, `detail`, `_row` of the rows that could not be read. */
  readonly rejects: string;
  /** Credits of the table's sources. */
  readonly attribution: readonly Attribution[];
  readonly report: TableReport;
}

interface RejectReason {
  readonly reason: string;
  readonly rows: number;
  /** Lines of the first of these rows. */
  readonly lines: readonly number[];
}

/** What was read of a user's table, for people. */
export interface TableReport {
  readonly name: string;
  readonly file: string;
  /** The `cairn.json` that was used, if any. */
  readonly settings: string | undefined;
  readonly format: string;
  readonly crs: string;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  readonly geometryFrom: readonly string[];
  readonly rows: number;
  readonly rejected: number;
  readonly reasons: readonly RejectReason[];
  /** The column of the ids; undefined if they are computed from the rows. */
  readonly idColumn: string | undefined;
  readonly columns: readonly DescribedColumn[];
  /** Number of rows by how their coordinates were found; undefined without `geocode`. */
  readonly geocoded: Readonly<Record<string, number>> | undefined;
  /** Columns that are new, missing or of another type since the last build. */
  readonly changes: readonly string[];
  readonly notes: readonly string[];
}

interface WriteOptions {
  readonly file: string;
  readonly folder: string;
  readonly options: TableOptions;
  /** Returns the schema of a collection in the dataset that is replaced. */
  readonly schemaBefore?: ((name: string) => OwnSchema | undefined) | undefined;
}

/**
 * Reads a table and writes its rows and rejects as Parquet into the folder. Throws if the table cannot be read, or for
 * options that do not fit it.
 */
export async function writeOwnTable(
  database: Database,
  { file, folder, options, schemaBefore }: WriteOptions,
): Promise<OwnTable> {
  return withTable(file, options, async ({ name, source, described, hash, reportOf }) => {
    await makeFolder(folder);
    const [path, rejects] = [join(folder, `${name}-${hash}.parquet`), join(folder, `${name}-${hash}.rejects.parquet`)];
    const counts = await writeRows(database, source, { described, path, rejects });
    const { schema } = described;
    const report = reportOf(counts, changesOf(schemaBefore?.(name), schema));
    return { name, schema, path, rejects, attribution: source.attribution, report };
  });
}

/**
 * Reads a whole table, and returns its format, columns, and numbers of rows and rejects. Writes nothing. Throws as
 * `writeOwnTable` does.
 */
export function describeTable(file: string, options: TableOptions = {}): Promise<TableReport> {
  return withTable(file, options, async ({ source, reportOf }) => {
    const rejects = createRejectCounter();
    let rows = 0;
    for await (const row of source.rows()) {
      const reject = rejectOf(row);
      if (reject) rejects.add(reject);
      else rows++;
    }
    return reportOf({ rows, ...rejects.counts() }, []);
  });
}

type Counts = Pick<TableReport, "rows" | "rejected" | "reasons">;

interface OpenTable {
  readonly name: string;
  readonly source: RowSource;
  readonly described: Described;
  /** Hash of the file and the options. */
  readonly hash: string;
  readonly reportOf: (counts: Counts, changes: readonly string[]) => TableReport;
}

/** Opens a table with its options, those of `cairn.json` included. */
async function withTable<T>(file: string, given: TableOptions, work: (table: OpenTable) => Promise<T>): Promise<T> {
  const { options, from } = await statedOptions(file, given);
  const { name = nameOf(file), roles = {}, geocode, ...read } = options;
  if (!isOwnName(name))
    throw new CodedError(
      "CAIRN_E_SOURCE",
      `${from !== undefined && given.name === undefined ? `${from}: name` : "--name"} is ${JSON.stringify(name)}, expected a lower-case letter and then at most 39 letters, digits or underscores, no name of Overture's collections or paths`,
    );
  const opened = await openRows(file, geocode ? { ...read, allowNoGeometry: true } : read).catch((error: unknown) => {
    const isStated = from !== undefined && Object.keys(read).length > 0;
    if (isStated && error instanceof TableError)
      throw new CodedError("CAIRN_E_SOURCE", `${error.message} (options of ${from})`);
    throw error;
  });
  try {
    const located = geocode ? await geocodedRows(opened, { geocode, roles }) : undefined;
    const source = located?.source ?? opened;
    const described = await describeColumns(source, roles, (role, column) => roleOrigin(role, column, given, from));
    const hash = createHash("sha256")
      .update(await hashFile(file))
      .update(JSON.stringify([name, options, located?.version]))
      .digest("hex")
      .slice(0, 16);
    const { idColumn, columns } = described;
    const { format, crs, encoding, delimiter, geometryFrom, notes } = source;
    const reportOf: OpenTable["reportOf"] = (counts, changes) => ({
      ...{ name, file, settings: from, format, crs, encoding, delimiter, geometryFrom, ...counts, idColumn, columns },
      ...{ geocoded: located?.counts(), changes, notes },
    });
    return await work({ name, source, described, hash, reportOf });
  } finally {
    await opened.close();
  }
}

/** The collection's name: the file's name without its ending, reduced to letters, digits and underscores. */
function nameOf(file: string): string {
  const [stem = ""] = (file.split(/[\\/]/).at(-1) ?? "").split(".");
  const plain = stem
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 36);
  if (isOwnName(plain)) return plain;
  return isOwnName(`my_${plain}`) ? `my_${plain}` : "table";
}

const ROWS = "own_rows";
const REJECTS = "own_rejects";
/** Rows that DuckDB gets at a time. */
const BATCH_ROWS = 10_000;
const SHOWN_LINES = 5;

/** The row as a reject; undefined if it can be taken. */
function rejectOf(row: SourceRow | SourceReject): SourceReject | undefined {
  if (isReject(row)) return row;
  return row.geometry === null
    ? { line: row.line, reason: "no coordinates", detail: "the row has no geometry" }
    : undefined;
}

function createRejectCounter() {
  const reasons = new Map<string, { rows: number; lines: number[] }>();
  let rejected = 0;
  return {
    add({ reason, line }: SourceReject): void {
      const known = reasons.get(reason) ?? { rows: 0, lines: [] };
      known.rows++;
      if (known.lines.length < SHOWN_LINES) known.lines.push(line);
      reasons.set(reason, known);
      rejected++;
    },
    counts: (): Omit<Counts, "rows"> => ({
      rejected,
      reasons: Array.from(reasons, ([reason, counted]) => ({ reason, ...counted })),
    }),
  };
}

interface Written {
  readonly described: Described;
  readonly path: string;
  readonly rejects: string;
}

/** Writes all rows and rejects, one at a time. */
async function writeRows(
  database: Database,
  source: RowSource,
  { described, path, rejects: rejectsPath }: Written,
): Promise<Counts> {
  await database.run(`CREATE OR REPLACE TABLE ${ROWS} (_row BIGINT, id VARCHAR, geometry BLOB, properties VARCHAR)`);
  await database.run(`CREATE OR REPLACE TABLE ${REJECTS} (id VARCHAR, reason VARCHAR, detail VARCHAR, _row BIGINT)`);
  const [taken, rejected] = [
    await database.connection.createAppender(ROWS),
    await database.connection.createAppender(REJECTS),
  ];
  const { columns } = described.schema;
  const idOf = idMaker(described);
  const rejects = createRejectCounter();
  let [rows, rejectedRows] = [0, 0];
  for await (const row of source.rows()) {
    const reject = rejectOf(row);
    if (reject || isReject(row) || row.geometry === null) {
      if (reject) {
        const { id, line, reason, detail } = reject;
        appendRow(rejected, id ?? null, reason, `line ${line}: ${detail}`, line);
        rejects.add(reject);
      }
      if (++rejectedRows % BATCH_ROWS === 0) rejected.flushSync();
      continue;
    }
    const values = columns
      .map(({ name, type }, at) => [name, storedValue(type, row.values[at])] as const)
      .filter(([, value]) => value !== null);
    appendRow(taken, rows, idOf(row), writeWkb(row.geometry), JSON.stringify(Object.fromEntries(values)));
    if (++rows % BATCH_ROWS === 0) taken.flushSync();
  }
  taken.closeSync();
  rejected.closeSync();
  const types = Object.fromEntries(columns.map(({ name, type }) => [name, jsonType(OWN_TYPES[type])]));
  const struct = quoteLiteral(JSON.stringify(types));
  const own = columns.length === 0 ? "" : `, unnest(from_json(properties, ${struct}))`;
  await copyWhole(database, `SELECT id, geometry${own} FROM ${ROWS} ORDER BY _row`, path);
  await copyWhole(database, `SELECT * FROM ${REJECTS} ORDER BY _row`, rejectsPath);
  await database.run(`DROP TABLE ${ROWS}`);
  await database.run(`DROP TABLE ${REJECTS}`);
  return { rows, ...rejects.counts() };
}

/** A type as DuckDB's `from_json` spells it. */
function jsonType(type: string): string | readonly [string] {
  return type.endsWith("[]") ? [type.slice(0, -2)] : type;
}

function storedValue(type: OwnType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === "json") return JSON.stringify(value);
  return type === "text" ? String(value) : value;
}

/** Ids of rows: from the format or a column, or a hash of the identifying columns, so that other changes keep the id. */
function idMaker({ idIndex, identity }: Described): (row: SourceRow) => string {
  const seen = new Map<string, number>();
  return ({ id, values, geometry }) => {
    if (idIndex >= 0) return String(values[idIndex]);
    if (id !== undefined) return id;
    const text = JSON.stringify([identity.map((index) => values[index] ?? null), geometry]);
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const count = seen.get(hash) ?? 0;
    seen.set(hash, count + 1);
    return count === 0 ? hash : `${hash}-${count + 1}`;
  };
}

async function copyWhole(database: Database, sql: string, path: string): Promise<void> {
  await rm(`${path}.tmp`, { force: true });
  await database.each([sql], (connection, query) =>
    connection.run(`COPY (${query}) TO ${quoteLiteral(`${path}.tmp`)} (FORMAT parquet, COMPRESSION zstd)`),
  );
  await rename(`${path}.tmp`, path);
}

/** A line for each column that is new, missing or of another type. Empty for a new collection. */
function changesOf(before: OwnSchema | undefined, now: OwnSchema): string[] {
  if (!before) return [];
  const typesBefore = new Map(before.columns.map(({ name, type }) => [name, type]));
  const typesNow = new Map(now.columns.map(({ name, type }) => [name, type]));
  const missing = before.columns.filter(({ name }) => !typesNow.has(name));
  return [
    ...now.columns.flatMap(({ name, type }) => {
      const was = typesBefore.get(name);
      if (was === undefined) return [`new column: ${writtenName(name)} (${type})`];
      return was === type ? [] : [`column of another type: ${writtenName(name)} is ${type}, was ${was}`];
    }),
    ...missing.map(({ name, type }) => `missing column: ${writtenName(name)} (${type})`),
  ];
}

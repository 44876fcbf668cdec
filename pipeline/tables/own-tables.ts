/**
 * Converts a user's table to a collection with its own schema. Its rows are written as Parquet, which the build reads
 * like any other source.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isOwnName, storedNames } from "../../data/format/own-collections.ts";
import {
  OWN_TYPES,
  type OwnColumn,
  type OwnSchema,
  type OwnType,
  ROLES,
  type Role,
} from "../../data/format/own-schema.ts";
import { writeWkb } from "../../data/format/write-wkb.ts";
import { readTable, type Table, TableError, type TableRow } from "../../data/tables/index.ts";
import { appendRow, type Database, quoteIdentifier, quoteLiteral } from "../database/index.ts";
import { makeFolder } from "../disk/index.ts";
import { isIdName, rolesByName } from "./roles.ts";
import { roleOrigin, statedOptions } from "./stated-options.ts";
import type { TableOptions } from "./table-options.ts";

/** A table as the build reads it. */
export interface OwnTable {
  readonly name: string;
  readonly schema: OwnSchema;
  /** Parquet with `id`, `geometry` as WKB and the columns of the schema. */
  readonly path: string;
  /** Parquet with `id`, `reason`, `detail`, `_row` of the rows that could not be read. */
  readonly rejects: string;
  readonly report: TableReport;
}

export interface TableReport {
  readonly name: string;
  readonly file: string;
  /** The `cairn.json` that was used, if any. */
  readonly settings: string | undefined;
  readonly format: string;
  readonly crs: string;
  readonly geometryFrom: readonly string[];
  readonly rows: number;
  readonly rejected: number;
  /** The column of the ids; undefined if they are computed from the rows. */
  readonly idColumn: string | undefined;
  readonly columns: readonly (OwnColumn & { readonly column: string; readonly filter: string })[];
  readonly notes: readonly string[];
}

interface ReadOwnTable {
  readonly name: string;
  readonly options: TableOptions;
  readonly bytes: Uint8Array;
  readonly table: Table;
  readonly described: Described;
  readonly report: TableReport;
}

/** Reads the file and finds out what it has. Throws with the fault and what is allowed. */
export async function describeTable(file: string, options: TableOptions = {}): Promise<TableReport> {
  return (await readOwnTable(file, options)).report;
}

/** Reads the file and writes its rows below the folder. Throws with the fault and what is allowed. */
export async function writeOwnTable(
  database: Database,
  { file, folder, options: given }: { readonly file: string; readonly folder: string; readonly options: TableOptions },
): Promise<OwnTable> {
  const { name, options, bytes, table, described, report } = await readOwnTable(file, given);
  const hash = createHash("sha256")
    .update(bytes)
    .update(JSON.stringify([name, options]))
    .digest("hex")
    .slice(0, 16);
  await makeFolder(folder);
  const [path, rejects] = [join(folder, `${name}-${hash}.parquet`), join(folder, `${name}-${hash}.rejects.parquet`)];
  await writeRows(database, table, described, path);
  await writeRejects(database, table, rejects);
  return { name, schema: described.schema, path, rejects, report };
}

async function readOwnTable(file: string, given: TableOptions): Promise<ReadOwnTable> {
  const { options, from } = await statedOptions(file, given);
  const { name = nameOf(file), roles, ...read } = options;
  if (!isOwnName(name))
    throw new Error(
      `${from !== undefined && given.name === undefined ? `${from}: name` : "--name"} is ${JSON.stringify(name)}, expected a lower-case letter and then at most 39 letters, digits or underscores, no name of Overture's collections or paths`,
    );
  const bytes = await readFile(file);
  const table = await readTable(file, bytes, read).catch((error: unknown) => {
    const isStated = from !== undefined && Object.keys(read).length > 0;
    if (isStated && error instanceof TableError) throw new Error(`${error.message} (options of ${from})`);
    throw error;
  });
  const described = schemaOf(table, roles ?? {}, (role, column) => roleOrigin(role, column, given, from));
  const { idColumn, columns } = described;
  const { format, crs, geometryFrom, notes } = table;
  const counts = { rows: table.rows.length, rejected: table.rejects.length };
  const report = { name, file, settings: from, format, crs, geometryFrom, ...counts, idColumn, columns, notes };
  return { name, options, bytes, table, described, report };
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

interface Described {
  readonly schema: OwnSchema;
  readonly idColumn: string | undefined;
  readonly idIndex: number;
  /** Columns that identify a row without an id column. */
  readonly identity: readonly number[];
  readonly columns: TableReport["columns"];
}

function schemaOf(
  table: Table,
  asked: NonNullable<TableOptions["roles"]>,
  originOf: (role: string, column: string) => string,
): Described {
  const names = table.columns.map(({ name }) => name);
  for (const [role, column] of Object.entries(asked)) {
    if (role !== "id" && !ROLES.some((known) => known === role))
      throw new Error(`${originOf(role, column)}: no role ${role}; the roles are id, ${ROLES.join(", ")}`);
    if (column !== undefined && !names.includes(column))
      throw new Error(`${originOf(role, column)}: the table has no column ${column}; it has ${names.join(", ")}`);
  }
  const roles = new Map(rolesByName(names));
  for (const [role, column] of Object.entries(asked)) {
    if (role === "id" || column === undefined) continue;
    for (const [other, known] of roles) if (known === role) roles.delete(other);
    roles.set(column, role as Role);
  }
  const valuesAt = (index: number) => table.rows.map((row) => row.values[index]);
  const isUnique = (index: number): boolean => {
    const values = valuesAt(index).map((value) => (value === null ? "" : String(value)));
    return values.length > 0 && !values.includes("") && new Set(values).size === values.length;
  };
  const idIndex =
    asked.id === undefined
      ? names.findIndex((name, index) => isIdName(name) && !roles.has(name) && isUnique(index))
      : names.indexOf(asked.id);
  if (asked.id !== undefined && !isUnique(idIndex))
    throw new Error(
      `${originOf("id", asked.id)}: the column has empty or repeated values, expected a different value in each row`,
    );
  const stored = storedNames(names);
  const columns = table.columns.map(({ name, type }, index) => {
    const values = valuesAt(index);
    const role = roles.get(name);
    const ownType = typeFor(type, { values, role });
    const hasTerms = index !== idIndex && isAsked(ownType, values);
    const column: OwnColumn = {
      name: stored[index] ?? name,
      type: ownType,
      ...(role ? { role } : {}),
      ...(hasTerms ? { hasTerms } : {}),
    };
    return { ...column, column: name, filter: filterOf(column) };
  });
  const schema: OwnSchema = {
    columns: columns.map(({ column: _, filter: __, ...column }) => column),
  };
  const identifying = columns.flatMap(({ role }, index) =>
    role && ["name", "address", "street", "housenumber", "postcode", "city"].includes(role) ? [index] : [],
  );
  const isNamed = columns.some(({ role }) => role === "name");
  return {
    schema,
    idColumn: names[idIndex],
    idIndex,
    identity: isNamed ? identifying : columns.map((_, index) => index),
    columns,
  };
}

/** Roles whose values are numbers. */
const NUMBER_ROLES: ReadonlySet<Role> = new Set(["price", "date"]);

/** Postcodes of digits are text. Integers beyond 32 bits are stored as numbers. */
function typeFor(
  type: OwnType,
  { values, role }: { readonly values: readonly unknown[]; readonly role: Role | undefined },
): OwnType {
  const isNumber = type === "integer" || type === "number";
  if (isNumber && role && !NUMBER_ROLES.has(role)) return "text";
  if (type !== "integer") return type;
  return values.every((value) => value === null || Math.abs(Number(value)) < 2 ** 31) ? "integer" : "number";
}

const MOST_DIFFERENT = 200;
const FEW_DIFFERENT = 20;
const LONGEST_VALUE = 60;

/** True if the column has few different values: a page lists them with counts, and the index has a term for each. */
function isAsked(type: OwnType, values: readonly unknown[]): boolean {
  if (type === "boolean") return true;
  if (type !== "text" && type !== "list") return false;
  const all = values
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter((value) => value !== null && value !== "");
  const different = new Set(all.map(String));
  if (different.size === 0 || different.size > MOST_DIFFERENT) return false;
  // A list of values is separated by commas.
  if ([...different].some((value) => value.length > LONGEST_VALUE || value.includes(",") || value !== value.trim()))
    return false;
  return different.size <= FEW_DIFFERENT ? all.length > different.size : all.length >= 4 * different.size;
}

function filterOf({ type, hasTerms }: OwnColumn): string {
  if (type === "boolean") return "yes/no";
  if (type === "integer" || type === "number" || type === "date" || type === "date-time") return "range";
  return hasTerms ? "values" : "words";
}

const ROWS = "own_rows";

async function writeRows(database: Database, { rows }: Table, described: Described, path: string): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE ${ROWS} (_row BIGINT, id VARCHAR, geometry BLOB, properties VARCHAR)`);
  const appender = await database.connection.createAppender(ROWS);
  const { columns } = described.schema;
  const ids = idsOf(rows, described);
  for (const [index, row] of rows.entries()) {
    const values = columns.map(({ name, type }, at) => [name, storedValue(type, row.values[at])] as const);
    appendRow(appender, index, ids[index] ?? "", writeWkb(row.geometry), JSON.stringify(Object.fromEntries(values)));
    if (index % 10_000 === 9_999) appender.flushSync();
  }
  appender.closeSync();
  const struct = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${OWN_TYPES[type]}`).join(", ");
  const own = struct === "" ? "" : `, unnest(CAST(properties::JSON AS STRUCT(${struct})))`;
  await copyWhole(database, `SELECT id, geometry${own} FROM ${ROWS} ORDER BY _row`, path);
  await database.run(`DROP TABLE ${ROWS}`);
}

function storedValue(type: OwnType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === "json") return JSON.stringify(value);
  return type === "text" ? String(value) : value;
}

/** Ids of the rows: from their column, or a hash of the identifying columns, so that other changes keep the id. */
function idsOf(rows: readonly TableRow[], { idIndex, identity }: Described): string[] {
  if (idIndex >= 0) return rows.map(({ values }) => String(values[idIndex]));
  const seen = new Map<string, number>();
  return rows.map(({ values, geometry }) => {
    const text = JSON.stringify([identity.map((index) => values[index] ?? null), geometry]);
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    const count = seen.get(hash) ?? 0;
    seen.set(hash, count + 1);
    return count === 0 ? hash : `${hash}-${count + 1}`;
  });
}

async function writeRejects(database: Database, { rejects }: Table, path: string): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE ${ROWS} (id VARCHAR, reason VARCHAR, detail VARCHAR, _row BIGINT)`);
  const appender = await database.connection.createAppender(ROWS);
  for (const { line, reason, detail } of rejects) appendRow(appender, null, reason, `line ${line}: ${detail}`, line);
  appender.closeSync();
  await copyWhole(database, `SELECT * FROM ${ROWS} ORDER BY _row`, path);
  await database.run(`DROP TABLE ${ROWS}`);
}

async function copyWhole(database: Database, sql: string, path: string): Promise<void> {
  await rm(`${path}.tmp`, { force: true });
  await database.each([sql], (connection, query) =>
    connection.run(`COPY (${query}) TO ${quoteLiteral(`${path}.tmp`)} (FORMAT parquet, COMPRESSION zstd)`),
  );
  await rename(`${path}.tmp`, path);
}

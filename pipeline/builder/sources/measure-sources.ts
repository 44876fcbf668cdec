import { stat } from "node:fs/promises";
import {
  COLLECTIONS,
  type CollectionName,
  isOvertureType,
  OVERTURE_TYPES,
  type OvertureType,
} from "../../../data/format/collections.ts";
import type { Database } from "../../base/database/index.ts";
import { hashFile } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { firstFeatures } from "./geojson.ts";
import { identifyFile, isAddress, quoteSource } from "./remote-sources.ts";
import { isImplied } from "./schema.ts";
import { type PlannedSource, type SourceFile, typeOfName, typeOfPath, unknownType } from "./sources.ts";

/** A source file whose collection is known. `index` is its position among the sources. */
export interface TypedSource extends SourceFile {
  readonly type: CollectionName;
  readonly crs?: string | undefined;
  readonly rejects?: string | undefined;
  readonly index: number;
}

/**
 * Returns the files in Overture's schema with their types, and in `tables` the others. With `areTables` all files are tables.
 * Throws if a file in a given folder has no known type, or if the type of a file is ambiguous.
 */
export async function typeSources(
  database: Database,
  files: readonly SourceFile[],
  { areTables = false } = {},
): Promise<{ readonly typed: TypedSource[]; readonly tables: (SourceFile & { readonly index: number })[] }> {
  const typed: TypedSource[] = [];
  const tables: (SourceFile & { readonly index: number })[] = [];
  for (const [index, file] of files.entries()) {
    const type = areTables ? undefined : await typeOf(database, file);
    if (type === undefined) tables.push({ ...file, index });
    else typed.push({ ...file, index, type });
  }
  return { typed, tables };
}

/** Undefined for a file that is not in Overture's schema. */
async function typeOf(database: Database, file: SourceFile): Promise<OvertureType | undefined> {
  if (file.format === "table") return undefined;
  const named = typeOfPath(file.path);
  if (named) return named;
  const stem = typeOfName(file.path);
  const { type: constant, columns } = await factsOf(database, file).catch((error) => {
    // The reader of tables takes more kinds of JSON.
    if (file.format === "parquet" || !file.isNamed || stem) throw error;
    return { type: undefined, columns: [] };
  });
  if (constant !== undefined && isOvertureType(constant)) return constant;
  if (stem) return stem;
  const fitting = constant === undefined ? typesOfColumns(columns) : [];
  const [only, other] = fitting;
  if (only && !other) return only;
  const isMixed = constant !== undefined && OVERTURE_TYPES.some((type) => constant.startsWith(`${type} and `));
  if (file.isNamed && !only && !isMixed) return undefined;
  const found = only ? `its columns fit ${fitting.join(" and ")}` : "no type column";
  throw unknownType(file.path, constant === undefined ? found : `type is ${constant}`);
}

interface Facts {
  /** A type that all rows have, or what of several. */
  readonly type: string | undefined;
  readonly columns: readonly string[];
}

function factsOf(database: Database, file: SourceFile): Promise<Facts> {
  return file.format === "parquet" ? factsOfParquet(database, file) : firstFeatures(file);
}

async function factsOfParquet(database: Database, { path }: SourceFile): Promise<Facts> {
  const relation = parquetRelation(path);
  const described = await database.columns(`SELECT * FROM ${relation}`).catch((cause) => {
    throw new CodedError("CAIRN_E_SOURCE", `${path}: not a Parquet file that can be read`, { cause });
  });
  const columns = described.map(({ name }) => name);
  if (!columns.includes("type")) return { type: undefined, columns };
  const [range] = await database.rows<{ least: string | null; greatest: string | null }>(
    `SELECT min("type")::VARCHAR AS least, max("type")::VARCHAR AS greatest FROM ${relation}`,
  );
  if (range?.least == null) return { type: undefined, columns };
  return { type: range.least === range.greatest ? range.least : `${range.least} and others`, columns };
}

/** Columns that all of Overture's types have, and other tables rarely together. */
const MARKS = ["version", "sources"];

/** Columns that types share and releases add to any type. */
const isShared = (name: string): boolean => MARKS.includes(name) || isImplied(name);

/**
 * Returns the Overture types whose columns fit best: none if the columns are not Overture's, several if they cannot
 * decide.
 */
export function typesOfColumns(columns: readonly string[]): OvertureType[] {
  const names = new Set(columns.map((name) => name.split(".", 1)[0] ?? ""));
  if (!MARKS.every((name) => names.has(name))) return [];
  const fits = OVERTURE_TYPES.map((type) => {
    const own = COLLECTIONS[type].columns.map(({ name }) => name).filter((name) => !isShared(name));
    const found = own.filter((name) => names.has(name)).length;
    return { type, found, isWhole: found === own.length };
  });
  const most = Math.max(...fits.map(({ found }) => found));
  const best = fits.filter(({ found }) => found === most);
  const whole = best.filter(({ isWhole }) => isWhole);
  return (whole.length > 0 ? whole : best).map(({ type }) => type);
}

/** Returns a FROM clause of a Parquet file, with the column `file_row_number`. */
export function parquetRelation(path: string): string {
  return `read_parquet(${quoteSource(path)}, hive_partitioning = false, file_row_number = true)`;
}

export interface MeasuredSource extends PlannedSource {
  readonly sha256: string;
  /** Number of records, an estimate for GeoJSON. */
  readonly rows: number;
  readonly bytes: number;
}

const GEOJSON_BYTES_PER_ROW = 400;

/**
 * Returns the sources with rows, bytes and a hash: of the content for local files, of address, size and modification
 * time for remote files.
 */
export async function measureSources(database: Database, sources: readonly TypedSource[]): Promise<MeasuredSource[]> {
  const measured: MeasuredSource[] = [];
  for (const { path, name, format, type, crs, rejects } of sources) {
    const { bytes, sha256 } = isAddress(path)
      ? await identifyFile(database, path)
      : { bytes: (await stat(path)).size, sha256: await hashFile(path) };
    const rows = format === "parquet" ? await countRows(database, path) : Math.ceil(bytes / GEOJSON_BYTES_PER_ROW);
    measured.push({ path, name, format, type, crs, rejects, sha256, rows, bytes });
  }
  return measured;
}

async function countRows(database: Database, path: string): Promise<number> {
  const [counted] = await database.rows<{ rows: number }>(
    `SELECT num_rows AS rows FROM parquet_file_metadata(${quoteSource(path)})`,
  );
  return counted?.rows ?? 0;
}

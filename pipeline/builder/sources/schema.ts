import { type DuckDBType, DuckDBTypeId } from "@duckdb/node-api";
import type { Collection } from "../../../data/format/collections.ts";
import { type Database, type DescribedColumn, quoteIdentifier } from "../../base/database/index.ts";

/** Columns that are computed, not cast. */
const COMPUTED = ["id", "geometry", "bbox", "version"] as const;

export interface TypedColumn extends DescribedColumn {
  readonly sqlType: string;
}

/** A source file as SQL, with the columns of its collection. */
export interface NormalisedSource {
  /** A query of the source's columns and `_row`, the index of the record in the file. */
  readonly relation: string;
  readonly columns: readonly DescribedColumn[];
  /** Names of columns and members that the collection lacks. Complete when all rows have been read. */
  readonly ignored: readonly string[];
  /**
   * SQL expression of the reason why a record does not fit, null if it does. Only if some values were converted before.
   */
  readonly misfit?: string;
}

/** Returns the columns of a collection with DuckDB's types, in order, without the columns that are computed. */
export async function castColumns(database: Database, collection: Collection): Promise<TypedColumn[]> {
  const wanted = collection.columns.filter(({ name }) => !COMPUTED.some((computed) => computed === name));
  if (wanted.length === 0) return [];
  const list = wanted.map(({ name, type }) => `NULL::${type} AS ${quoteIdentifier(name)}`).join(", ");
  const described = await database.columns(`SELECT ${list}`);
  return described.map((column, i) => ({ ...column, sqlType: wanted[i]?.type ?? "" }));
}

/** Returns whether a source may have a column without a report that it is ignored. */
export function isImplied(name: string): boolean {
  const [column] = name.split(".", 1);
  return column === "theme" || column === "type" || COMPUTED.some((computed) => computed === column);
}

/** Returns what a source has and the collection lacks: names of columns, and members such as `sources[].member`. */
export function ignoredColumns(
  source: readonly DescribedColumn[],
  collection: Collection,
  typed: readonly TypedColumn[],
): string[] {
  return source.flatMap((column) => {
    const target = typed.find(({ name }) => name === column.name);
    if (target) return extraMembers(column.name, column.type, target.type);
    const isKey = column.name === "country" && collection.countryRule === "declared";
    return isKey || isImplied(column.name) ? [] : [column.name];
  });
}

function extraMembers(path: string, source: DuckDBType, target: DuckDBType): string[] {
  if (source.typeId === DuckDBTypeId.LIST && target.typeId === DuckDBTypeId.LIST) {
    return extraMembers(`${path}[]`, source.valueType, target.valueType);
  }
  if (source.typeId !== DuckDBTypeId.STRUCT || target.typeId !== DuckDBTypeId.STRUCT) return [];
  return source.entryNames.flatMap((name, i) => {
    const member = `${path}.${name}`;
    const index = target.entryNames.findIndex((other) => other.toLowerCase() === name.toLowerCase());
    const [mine, theirs] = [source.entryTypes[i], target.entryTypes[index]];
    return mine && theirs ? extraMembers(member, mine, theirs) : [member];
  });
}

/** Reason for a rejected record, as in `rejects.parquet` and the manifest. */
type Reason =
  | "unreadable record"
  | "missing id"
  | "missing geometry"
  | "unreadable geometry"
  | "position out of range"
  | "value that cannot be cast"
  | "duplicate id";

/** Why a record is rejected, with the value that is wrong. */
export interface Fault {
  readonly reason: Reason;
  readonly detail: string;
}

/** Name of the table of rejected records. */
export const REJECTS_TABLE = "rejects";

/**
 * SQL that turns the columns of a source into those of a collection. Differences between schemas of releases are
 * handled here only.
 * @module
 */
import { type DuckDBType, DuckDBTypeId } from "@duckdb/node-api";
import type { Collection } from "../../../data/format/collections.ts";
import { type DescribedColumn, quoteIdentifier, quoteLiteral } from "../../base/database/index.ts";
import type { NormalisedSource, TypedColumn } from "../sources/index.ts";
import { idKeySql, orderKeySql } from "./order-keys.ts";

const CITED_CHARS = 120;

interface Cast {
  readonly column: TypedColumn;
  readonly value: string;
  /** Null if the value can be cast. */
  readonly fault: string | undefined;
}

/**
 * Returns a query of all records of a source with the collection's columns, `KEY_COLUMNS`, and `_reason _detail`, which
 * are null for accepted records.
 */
export function normaliseSql(
  collection: Collection,
  typed: readonly TypedColumn[],
  { relation, columns, misfit }: Omit<NormalisedSource, "ignored">,
): string {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  const source = (name: string): string => (has(name) ? quoteIdentifier(name) : "NULL");
  const casts = typed.map((column) => castOf(column, columns));
  const faults = [misfit, ...casts.map(({ fault }) => fault), faultSql("version", "INTEGER", columns)].filter(
    (fault) => fault !== undefined,
  );
  const declared = collection.countryRule === "declared" ? `${source("country")}::VARCHAR` : "NULL::VARCHAR";
  const output = collection.columns.map(({ name }) => `${outputSql(name, casts)} AS ${quoteIdentifier(name)}`);
  return `
    SELECT ${output.join(", ")},
      f.country AS _country, f.size_class AS _size_class, f.geohash AS _geohash, f.kind AS _kind,
      ${orderKeySql("f.country", "f.size_class", "f.geohash")} AS _location,
      ${orderKeySql("f.country", "0", idKeySql("_id"))} AS _ident, _row,
      CASE WHEN coalesce(_id, '') = '' THEN 'missing id'
           WHEN f.reason IS NOT NULL THEN f.reason
           WHEN _fault IS NOT NULL THEN 'value that cannot be cast' END AS _reason,
      CASE WHEN coalesce(_id, '') = '' THEN 'id is ' || CASE WHEN _id IS NULL THEN 'null' ELSE 'empty' END
           WHEN f.reason IS NOT NULL THEN f.detail
           ELSE _fault END AS _detail
    FROM (
      SELECT _row, ${source("id")}::VARCHAR AS _id, ${has("geometry") ? "geometry" : "NULL::BLOB"} AS _wkb,
        geometry_figures(_wkb, ${declared}) AS f,
        ${castSql("version", "INTEGER", columns)} AS _version,
        ${casts.map(({ column, value }) => `${value} AS ${quoteIdentifier(`_${column.name}`)}`).join(", ")}${casts.length ? "," : ""}
        ${faults.length ? `concat_ws('; ', ${faults.join(", ")})` : "''"} AS _faults, nullif(_faults, '') AS _fault
      FROM (${relation})
    )`;
}

function outputSql(name: string, casts: readonly Cast[]): string {
  switch (name) {
    case "id":
      return "_id";
    case "geometry":
      return "coalesce(f.wkb, _wkb)";
    case "bbox":
      return "struct_pack(xmin := f.xmin, xmax := f.xmax, ymin := f.ymin, ymax := f.ymax)";
    case "version":
      return "coalesce(_version, 0)";
    case "categories":
      return categoriesSql(casts);
    default: {
      const type = casts.find(({ column }) => column.name === name)?.column.type;
      const value = quoteIdentifier(`_${name}`);
      return type ? finiteSql(value, type) : value;
    }
  }
}

/** Releases since 2026-09 have `taxonomy` and `basic_category` instead of `categories`. */
function categoriesSql(casts: readonly Cast[]): string {
  const type = casts.find(({ column }) => column.name === "categories")?.column.sqlType;
  const filled = `struct_pack("primary" := coalesce(_taxonomy."primary", _basic_category), alternate := _taxonomy.alternates)`;
  return `CASE
    WHEN _categories."primary" IS NOT NULL OR _categories.alternate IS NOT NULL THEN _categories
    WHEN coalesce(_taxonomy."primary", _basic_category) IS NULL AND _taxonomy.alternates IS NULL THEN _categories
    ELSE ${filled}::${type} END`;
}

function castOf(column: TypedColumn, columns: readonly DescribedColumn[]): Cast {
  return {
    column,
    value: castSql(column.name, column.sqlType, columns),
    fault: faultSql(column.name, column.sqlType, columns, column.type.toString()),
  };
}

/** SQL of the value with null in place of NaN and infinities, which JSON does not have. `depth` tells lambdas apart. */
function finiteSql(value: string, type: DuckDBType, depth = 0): string {
  if (!hasDouble(type)) return value;
  switch (type.typeId) {
    case DuckDBTypeId.DOUBLE:
      return `CASE WHEN isfinite(${value}) THEN ${value} END`;
    case DuckDBTypeId.LIST:
      return `list_transform(${value}, lambda e${depth}: ${finiteSql(`e${depth}`, type.valueType, depth + 1)})`;
    case DuckDBTypeId.STRUCT: {
      const members = type.entryNames.map((name, i) => {
        const member = quoteIdentifier(name);
        return `${member} := ${finiteSql(`struct_extract(${value}, ${quoteLiteral(name)})`, type.entryTypes[i] ?? type, depth)}`;
      });
      return `CASE WHEN ${value} IS NOT NULL THEN struct_pack(${members.join(", ")}) END`;
    }
    default:
      throw new Error(`numbers in a ${type} cannot be checked`);
  }
}

function hasDouble(type: DuckDBType): boolean {
  switch (type.typeId) {
    case DuckDBTypeId.DOUBLE:
      return true;
    case DuckDBTypeId.LIST:
      return hasDouble(type.valueType);
    case DuckDBTypeId.STRUCT:
      return type.entryTypes.some(hasDouble);
    case DuckDBTypeId.MAP:
      return hasDouble(type.valueType);
    default:
      return false;
  }
}

function castSql(name: string, type: string, columns: readonly DescribedColumn[]): string {
  if (!columns.some((column) => column.name === name)) return `NULL::${type}`;
  return `TRY(CAST(${quoteIdentifier(name)} AS ${type}))`;
}

function faultSql(name: string, type: string, columns: readonly DescribedColumn[], spelled = type): string | undefined {
  const source = columns.find((column) => column.name === name);
  if (!source || source.type.toString() === spelled) return undefined;
  const column = quoteIdentifier(name);
  const cited = `left(${column}::VARCHAR, ${CITED_CHARS})`;
  return `CASE WHEN ${column} IS NOT NULL AND ${castSql(name, type, columns)} IS NULL THEN ${quoteLiteral(`${name}: `)} || ${cited} END`;
}

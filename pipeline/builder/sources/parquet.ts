import { BLOB, DuckDBTypeId, STRUCT, VARCHAR } from "@duckdb/node-api";
import type { Collection } from "../../../data/format/collections.ts";
import { messageOf } from "../../../data/format/message-of.ts";
import {
  type GeometryTyped,
  geometryColumn,
  parseJson,
  statedGeometry,
  withoutNaN,
} from "../../../data/tables/index.ts";
import {
  type Database,
  type DescribedColumn,
  functionName,
  quoteIdentifier,
  quoteLiteral,
  sqlFunction,
} from "../../base/database/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { columnOfFlat, conformRow, isCastable } from "./conform.ts";
import { objectOf } from "./geojson.ts";
import type { OpenedSource } from "./in-degrees.ts";
import { parquetRelation } from "./measure-sources.ts";
import { quoteSource } from "./remote-sources.ts";
import { ignoredColumns, type NormalisedSource, type TypedColumn } from "./schema.ts";

interface Wanted {
  readonly collection: Collection;
  readonly typed: readonly TypedColumn[];
  readonly taken: readonly DescribedColumn[];
}

/**
 * Returns SQL that reads a Parquet file: its geometry as WKB, and columns that SQL cannot cast converted to the types
 * in `taken`. Throws if the geometry is neither WKB nor of a geometry type.
 */
export async function openParquet(
  database: Database,
  path: string,
  { collection, typed, taken }: Wanted,
): Promise<OpenedSource> {
  const file = parquetRelation(path);
  const columns = await database.columns(`SELECT * EXCLUDE (file_row_number) FROM ${file}`);
  const geometry = await geometryOf(database, path, columns);
  const others = columns.filter(({ name }) => name !== "geometry" && name !== geometry?.name);
  const selected = [...quoted(others), ...(geometry ? [`${geometry.sql} AS geometry`] : []), "file_row_number AS _row"];
  const source = {
    relation: `SELECT ${selected.join(", ")} FROM ${file}`,
    columns: geometry ? [...others, { name: "geometry", type: BLOB }] : others,
    ignored: ignoredColumns(others, collection, typed),
  };
  const { crs, mayHaveSrids = false } = geometry ?? {};
  return { ...fitted(database, source, taken), crs, mayHaveSrids };
}

const quoted = (columns: readonly DescribedColumn[]): string[] => columns.map(({ name }) => quoteIdentifier(name));

interface FoundGeometry {
  readonly name: string;
  readonly sql: string;
  readonly crs?: string | undefined;
  readonly mayHaveSrids: boolean;
}

/** The column that the file states, otherwise `geometry`, otherwise the one with the likeliest name. */
async function geometryOf(
  database: Database,
  path: string,
  columns: readonly DescribedColumn[],
): Promise<FoundGeometry | undefined> {
  const entries = await database.rows<{ key: string | null; value: string | null }>(
    `SELECT TRY(decode(key)) AS key, TRY(decode(value)) AS value FROM parquet_kv_metadata(${quoteSource(path)})`,
  );
  const metadata = new Map(entries.map(({ key, value }) => [key ?? "", value ?? ""]));
  const stated = statedGeometry(metadata, await typedGeometry(database, path, columns));
  const blobs = columns.filter(({ type }) => type.typeId === DuckDBTypeId.BLOB).map(({ name }) => name);
  const name = stated.primary ?? (columns.some(isGeometry) ? "geometry" : geometryColumn(blobs));
  const column = columns.find((one) => one.name === name);
  if (!column) return undefined;
  const { crs } = stated;
  return { name: column.name, sql: wkbSql(path, column), crs, mayHaveSrids: crs === undefined };
}

const isGeometry = ({ name }: DescribedColumn): boolean => name === "geometry";

const hasGeometryType = ({ type }: DescribedColumn): boolean => type.toString().startsWith("GEOMETRY");

/** The first column of Parquet's geometry types. DuckDB's own type lacks reference systems that it does not know. */
async function typedGeometry(
  database: Database,
  path: string,
  columns: readonly DescribedColumn[],
): Promise<GeometryTyped | undefined> {
  const column = columns.find(hasGeometryType);
  if (!column) return undefined;
  const [element] = await database.rows<{ type: string }>(
    `SELECT logical_type AS type FROM parquet_schema(${quoteSource(path)})
     WHERE name = ${quoteLiteral(column.name)} AND logical_type LIKE 'Geo%'`,
  );
  const crs = /^Geo\w+\(crs=(.*?)(?:, algorithm=.*)?\)$/s.exec(element?.type ?? "")?.[1];
  return { name: column.name, crs: crs === "<null>" ? undefined : crs };
}

function wkbSql(path: string, column: DescribedColumn): string {
  const name = quoteIdentifier(column.name);
  if (hasGeometryType(column)) return `ST_AsWKB(${name})::BLOB`;
  if (column.type.typeId === DuckDBTypeId.BLOB) return name;
  throw new CodedError("CAIRN_E_SOURCE", `${path}: column ${column.name} is ${column.type.toString()}, expected WKB`);
}

/** Fits columns that SQL cannot cast, one row at a time: JSON text, lists of pairs, numbers with NaN, flattened names. */
function fitted(database: Database, source: NormalisedSource, taken: readonly DescribedColumn[]): NormalisedSource {
  const { relation, columns } = source;
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  const targetOf = (column: DescribedColumn): DescribedColumn | undefined => {
    const target = taken.find(({ name }) => name === column.name);
    if (target) return isCastable(column.type, target.type) ? undefined : target;
    const whole = columnOfFlat(column.name, taken);
    return whole && !has(whole.name) ? whole : undefined;
  };
  const inputs = columns.filter(targetOf);
  if (inputs.length === 0) return source;
  const targets = [...new Set(inputs.map(targetOf))].filter((target) => target !== undefined);
  const others = columns.filter((column) => !inputs.includes(column));
  const ignored = source.ignored.filter((name) => !inputs.some((input) => input.name === name));
  const fit = functionName("fit_row");
  database.register(
    sqlFunction(fit, [VARCHAR], STRUCT({ properties: VARCHAR, fault: VARCHAR }), (json) => {
      try {
        const row = conformRow(objectOf(parseJson(withoutNaN(json ?? "{}"))), targets);
        for (const name of row.ignored) if (!ignored.includes(name)) ignored.push(name);
        return [row.text, null];
      } catch (error) {
        return [null, messageOf(error)];
      }
    }),
  );
  const packed = inputs.map(({ name }) => `${quoteIdentifier(name)} := ${quoteIdentifier(name)}`).join(", ");
  const struct = targets.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(", ");
  const kept = ["_row", ...quoted(others)].join(", ");
  return {
    relation: `
      SELECT ${kept}, unnest(CAST(_fitted.properties::JSON AS STRUCT(${struct}))), _fitted.fault AS ${MISFIT}
      FROM (SELECT ${kept}, ${fit}(to_json(struct_pack(${packed}))::VARCHAR) AS _fitted FROM (${relation}))`,
    columns: [...others, ...targets],
    ignored,
    misfit: MISFIT,
  };
}

/** Why a record does not fit. */
const MISFIT = "_misfit";

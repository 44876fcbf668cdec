/** GeoPackage. @see https://www.geopackage.org/spec140/ @module */

import initSqlJs from "sql.js/dist/sql-wasm-inline.js";
import { hexOf } from "../format/bytes.ts";
import { messageOf } from "../format/message-of.ts";
import { quoteIdentifier } from "../format/sql.ts";
import type { RawRow, RawTable } from "./raw-table.ts";
import { refuseRows, TableError } from "./table.ts";

interface Limits {
  readonly maxRows: number;
}

/**
 * Reads the first layer with rows, layers with geometries first. The notes name the other layers, and views. Throws `TableError`
 * if the file is damaged, has no rows, or has more than `maxRows`.
 */
export async function readGeoPackage(bytes: Uint8Array, limits: Limits): Promise<RawTable> {
  const { Database } = await initSqlJs();
  const database = new Database(bytes);
  try {
    return readLayer(reader(database), limits);
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw new TableError(`the GeoPackage is damaged: ${messageOf(error)}`);
  } finally {
    database.close();
  }
}

type Value = number | string | bigint | Uint8Array | null;
type Read = (sql: string, most?: number) => Value[][];

/** The types of sql.js lack the option for integers beyond 53 bits. */
interface BigIntStatement {
  step(): boolean;
  get(parameters: null, options: { readonly useBigInt: true }): Value[];
  free(): boolean;
}

function reader(database: InstanceType<Awaited<ReturnType<typeof initSqlJs>>["Database"]>): Read {
  return (sql, most = Number.POSITIVE_INFINITY) => {
    const statement: BigIntStatement = database.prepare(sql);
    const rows: Value[][] = [];
    try {
      while (rows.length < most && statement.step()) rows.push(statement.get(null, { useBigInt: true }));
    } finally {
      statement.free();
    }
    return rows;
  };
}

/** Of `PRAGMA table_xinfo`. */
const HIDDEN = 1;

interface Layer {
  readonly name: string;
  readonly geometry: string | undefined;
  readonly crs: string | undefined;
}

function readLayer(read: Read, { maxRows }: Limits): RawTable {
  const { layers, views } = layersOf(read);
  const [layer, ...others] = layers.filter(
    ({ name }) => read(`SELECT 1 FROM ${quoteIdentifier(name)} LIMIT 1`).length > 0,
  );
  if (!layer) throw new TableError(`the GeoPackage has no rows in ${layers.map(({ name }) => name).join(", ")}`);
  const table = quoteIdentifier(layer.name);
  const [[count] = []] = read(`SELECT count(*) FROM ${table}`);
  const rowCount = Number(count);
  refuseRows(rowCount, maxRows);
  const described = read(`PRAGMA table_xinfo(${table})`)
    // SELECT * returns generated columns, and no hidden ones of virtual tables
    .filter(([, , , , , , hidden]) => Number(hidden) !== HIDDEN)
    .map(([, name, type]) => ({ name: String(name), isBoolean: /^bool/i.test(String(type)) }));
  const rows = read(`SELECT * FROM ${table}`).map(
    (values, index): RawRow => ({
      line: index + 1,
      values: values.map((value, at) => plainValue(value, { ...described[at], geometry: layer.geometry })),
    }),
  );
  return {
    format: "geopackage",
    columns: described.map(({ name }) => name),
    rows,
    ...(layer.geometry === undefined ? {} : { geometryColumn: layer.geometry }),
    ...(layer.crs === undefined ? {} : { crs: layer.crs }),
    notes: [
      ...(others.length === 0
        ? []
        : [`only the layer ${layer.name} is read, not ${others.map(({ name }) => name).join(", ")}`]),
      ...(views.length === 0 ? [] : [`views are not read: ${views.join(", ")}`]),
    ],
  };
}

/** Layers with geometries, then tables without. A view may never end, so only its name is returned. */
function layersOf(read: Read): { readonly layers: readonly Layer[]; readonly views: readonly string[] } {
  const [contents] = read("SELECT 1 FROM sqlite_master WHERE name = 'gpkg_contents'");
  if (!contents)
    throw new TableError("the SQLite database is no GeoPackage: export its table as GeoPackage, CSV or GeoJSON", {
      code: "format",
    });
  const [geometries] = read("SELECT 1 FROM sqlite_master WHERE name = 'gpkg_geometry_columns'");
  const columns = geometries
    ? read(
        "SELECT g.table_name, g.column_name, s.organization, s.organization_coordsys_id, s.definition " +
          "FROM gpkg_geometry_columns g LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = g.srs_id",
      )
    : [];
  const all = read(
    "SELECT c.table_name, m.type FROM gpkg_contents c JOIN sqlite_master m ON lower(m.name) = lower(c.table_name) " +
      "WHERE m.type IN ('table', 'view') AND c.data_type IN ('features', 'attributes') ORDER BY c.data_type = 'attributes', c.rowid",
  );
  const views = all.filter(([, type]) => type === "view").map(([name]) => String(name));
  const tables = all.filter(([, type]) => type === "table");
  if (tables.length === 0 && views.length > 0)
    throw new TableError(`the GeoPackage has only views, which are not read: save ${views.join(", ")} as a layer`);
  if (tables.length === 0) throw new TableError("the GeoPackage has no layer with features: it may have only tiles");
  const layers = tables.map(([name]) => {
    const [, column, organization, code, definition] = columns.find(([table]) => table === name) ?? [];
    return {
      name: String(name),
      geometry: typeof column === "string" ? column : undefined,
      crs: crsText(organization, code, definition),
    };
  });
  return { layers, views };
}

/** Undefined for the two systems that the format defines as unknown. */
function crsText(organization: Value | undefined, code: Value | undefined, definition: Value | undefined) {
  if (typeof organization !== "string" || /^none$/i.test(organization)) return undefined;
  if (/^(epsg|esri)$/i.test(organization) && Number(code) > 0) return `${organization.toUpperCase()}:${code}`;
  return typeof definition === "string" && definition !== "undefined" ? definition : undefined;
}

interface ValueColumn {
  readonly name?: string;
  readonly isBoolean?: boolean;
  readonly geometry: string | undefined;
}

function plainValue(value: Value, { name, isBoolean, geometry }: ValueColumn): unknown {
  if (value instanceof Uint8Array) return name === geometry ? wkbOf(value) : `\\x${hexOf(value)}`;
  if (typeof value === "bigint") {
    if (isBoolean) return value !== 0n;
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  return value;
}

/** Bytes of envelopes by their code in the header. */
const ENVELOPE_BYTES = [0, 32, 48, 48, 64];
const HEADER_BYTES = 8;

/** The WKB after the header; null for an empty geometry. */
function wkbOf(blob: Uint8Array): Uint8Array | null {
  const [g, p, , flags = 0] = blob;
  if (g !== 0x47 || p !== 0x50) return blob;
  const isEmpty = (flags & 0b10000) !== 0;
  return isEmpty ? null : blob.subarray(HEADER_BYTES + (ENVELOPE_BYTES[(flags >> 1) & 0b111] ?? 0));
}

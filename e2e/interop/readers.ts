/**
 * Three independent Parquet readers, each used on the primary copy as third parties would.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { query as clickHouse } from "chdb";
import { parquetMetadataAsync, parquetReadObjects, type RowGroup } from "hyparquet";
import { asyncBufferFromFile } from "hyparquet/src/node.js";
import { compressors } from "hyparquet-compressors";
import { type Geometry, readWkb } from "../../data/format/geometry.ts";

/** A row in the form that is compared. */
export interface ReadRow {
  readonly id: string;
  /** From the name of a folder. */
  readonly country: string;
  readonly name: string | null;
  readonly geometry: Geometry;
}

export interface Reader {
  readonly name: string;
  /** Number of rows by country code. */
  count(collection: string): Promise<Readonly<Record<string, number>>>;
  /** Rows of a country with one kind of geometry, by id; optionally only those whose box intersects another. */
  read(collection: string, country: string, box?: Box): Promise<readonly ReadRow[]>;
}

export type Box = readonly [west: number, south: number, east: number, north: number];

/** SQL of the rows whose box intersects this one. Readers skip row groups with it. */
const meets = ([west, south, east, north]: Box): string =>
  `bbox.xmin <= ${east} AND bbox.xmax >= ${west} AND bbox.ymin <= ${north} AND bbox.ymax >= ${south}`;

export const ascending = (a: ReadRow, b: ReadRow) => (a.id < b.id ? -1 : 1);

/** Native DuckDB with a Hive glob. */
export async function duckdb(folder: string): Promise<Reader> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const table = (collection: string) =>
    `read_parquet('${folder}/${collection}/country=*/geohash=*/*.parquet', hive_partitioning=true)`;
  return {
    name: "DuckDB",
    async count(collection) {
      const counts = await rows(`SELECT country, count(*)::INT AS n FROM ${table(collection)} GROUP BY 1 ORDER BY 1`);
      return Object.fromEntries(counts.map(({ country, n }) => [String(country), Number(n)]));
    },
    async read(collection, country, box) {
      const found = await rows(
        `SELECT id, country, names.primary AS name, hex(ST_AsWKB(geometry)) AS wkb FROM ${table(collection)} WHERE country = '${country}'${box ? ` AND ${meets(box)}` : ""}`,
      );
      return found
        .map(({ id, country, name, wkb }) => ({
          id: String(id),
          country: String(country),
          name: name === null ? null : String(name),
          geometry: readWkb(Buffer.from(String(wkb), "hex")),
        }))
        .sort(ascending);
    },
  };
}

/** hyparquet, which reads single files. The caller lists the folders. */
export function hyparquet(folder: string): Reader {
  async function files(collection: string): Promise<{ path: string; country: string }[]> {
    const names = await readdir(join(folder, collection), { recursive: true });
    return names.flatMap((name) => {
      const country = /^country=(..)\/geohash=[^/]+\/\w+\.parquet$/.exec(name)?.[1];
      return country ? [{ path: join(folder, collection, name), country }] : [];
    });
  }
  return {
    name: "hyparquet",
    async count(collection) {
      const counts = new Map<string, number>();
      for (const { path, country } of await files(collection)) {
        const { num_rows } = await parquetMetadataAsync(await asyncBufferFromFile(path));
        counts.set(country, (counts.get(country) ?? 0) + Number(num_rows));
      }
      return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
    async read(collection, country, box) {
      const found: ReadRow[] = [];
      for (const { path, country: own } of await files(collection)) {
        if (own === country) found.push(...(await readPack(path, country, box)));
      }
      return found.sort(ascending);
    },
  };
}

interface PackRow {
  readonly id: string;
  readonly names: { readonly primary?: string } | null;
  readonly geometry: Geometry;
  readonly bbox: Readonly<Record<(typeof EDGES)[number], number>>;
}

const EDGES = ["xmin", "ymin", "xmax", "ymax"] as const;

/** Rows of a pack; with a box, only from row groups whose statistics in the joint footer intersect it. */
async function readPack(path: string, country: string, box?: Box): Promise<ReadRow[]> {
  const bytes = await readFile(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const found: ReadRow[] = [];
  let rowStart = 0;
  for (const group of (await parquetMetadataAsync(file)).row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    if (!box || meetsGroup(group, box)) {
      const columns = ["id", "names", "geometry", "bbox"];
      for (const row of await parquetReadObjects({ file, compressors, columns, rowStart, rowEnd })) {
        const { id, names, geometry, bbox } = row as unknown as PackRow;
        if (box && !(bbox.xmin <= box[2] && bbox.xmax >= box[0] && bbox.ymin <= box[3] && bbox.ymax >= box[1]))
          continue;
        found.push({ id, country, name: names?.primary ?? null, geometry });
      }
    }
    rowStart = rowEnd;
  }
  return found;
}

function meetsGroup({ columns }: RowGroup, [west, south, east, north]: Box): boolean {
  const boundsOf = (edge: (typeof EDGES)[number]) =>
    columns.find(({ meta_data }) => meta_data?.path_in_schema.join(".") === `bbox.${edge}`)?.meta_data?.statistics;
  const [least, greatest] = [
    (edge: (typeof EDGES)[number]) => Number(boundsOf(edge)?.min_value ?? Number.NEGATIVE_INFINITY),
    (edge: (typeof EDGES)[number]) => Number(boundsOf(edge)?.max_value ?? Number.POSITIVE_INFINITY),
  ];
  return least("xmin") <= east && greatest("xmax") >= west && least("ymin") <= north && greatest("ymax") >= south;
}

/** Otherwise it converts geometries to its own types, and refuses to mix files of Polygon and MultiPolygon. */
const AS_WKB = "input_format_parquet_allow_geoparquet_parser = 0, schema_inference_use_cache_for_file = 0";

/** ClickHouse in this process. */
export function clickhouse(folder: string): Reader & { points(collection: string): Promise<readonly ReadRow[]> } {
  const rows = (sql: string, settings = AS_WKB) =>
    clickHouse(`${sql} SETTINGS use_hive_partitioning = 1, ${settings}`, "JSONEachRow")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const table = (collection: string, country: string) =>
    `file('${folder}/${collection}/country=${country}/geohash=*/*.parquet', Parquet)`;
  const rowOf = ({ id, country, name }: Record<string, unknown>, geometry: Geometry): ReadRow => ({
    id: String(id),
    country: String(country),
    name: name === null ? null : String(name),
    geometry,
  });
  return {
    name: "ClickHouse",
    async count(collection) {
      const counts = rows(
        `SELECT country, count() AS n FROM ${table(collection, "*")} GROUP BY country ORDER BY country`,
      );
      return Object.fromEntries(counts.map(({ country, n }) => [String(country), Number(n)]));
    },
    async read(collection, country, box) {
      const columns = "id, country, names.primary AS name, hex(geometry) AS wkb";
      const found = rows(`SELECT ${columns} FROM ${table(collection, country)}${box ? ` WHERE ${meets(box)}` : ""}`);
      return found.map((row) => rowOf(row, readWkb(Buffer.from(String(row.wkb), "hex")))).sort(ascending);
    },
    async points(collection) {
      const columns = "id, country, names.primary AS name, toTypeName(geometry) AS kind, geometry";
      const native = "input_format_parquet_allow_geoparquet_parser = 1, schema_inference_use_cache_for_file = 0";
      return rows(`SELECT ${columns} FROM ${table(collection, "MC")}`, native)
        .map((row) => rowOf(row, { type: row.kind, coordinates: row.geometry } as Geometry))
        .sort(ascending);
    },
  };
}

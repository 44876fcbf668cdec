/**
 * Rows in both storage forms: as in the primary copy, and as in the records.
 * @module
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { type CollectionName, knownCollection } from "../../../data/format/collections.ts";
import { writeShort } from "../../../data/format/fine-point.ts";
import { readWkb } from "../../../data/format/geometry.ts";
import type { LocationNode, Slice } from "../../../data/format/manifest.ts";
import type { StoredRecord } from "../../../data/format/records.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { openPartition, type Partition } from "../store/partition.ts";
import { openRecords, type RecordRows } from "../store/record-rows.ts";

export interface StoredBothWays {
  readonly plain: Partition;
  readonly records: RecordRows;
}

const SAMPLE = join(import.meta.dirname, "../../../data/sample");
const POINT = "unhex('010100000000000000000000000000000000000000')";
const BOX = "{xmin: 0.0::DOUBLE, xmax: 0.0::DOUBLE, ymin: 0.0::DOUBLE, ymax: 0.0::DOUBLE}";
const MOST_ROWS = 2000;

/** Returns the first rows of each sample file of the collection, by id, all with the same bbox. */
export async function sampleBothWays(name: CollectionName): Promise<StoredBothWays[]> {
  const files = (await readdir(SAMPLE, { recursive: true })).filter((file) => file.endsWith(`/${name}.parquet`));
  return withDatabase(async (connection, folder) => {
    const stored: StoredBothWays[] = [];
    for (const file of files.sort().map((each) => join(SAMPLE, each))) {
      const described = await connection.runAndReadAll(`DESCRIBE FROM read_parquet('${file}')`);
      const has = new Set(described.getRows().map(([column]) => String(column)));
      const columns = knownCollection(name).columns.map(({ name: column, type }) => {
        if (column === "geometry") return "ST_AsWKB(geometry)::BLOB AS geometry";
        if (column === "bbox") return `${BOX} AS bbox`;
        return `${has.has(column) ? `"${column}"` : "NULL"}::${type} AS "${column}"`;
      });
      const sql = `SELECT ${columns.join(", ")} FROM read_parquet('${file}') ORDER BY id LIMIT ${MOST_ROWS}`;
      stored.push(await store(connection, folder, name, sql));
    }
    return stored;
  });
}

/** Returns rows with these values, SQL expressions by column; other columns are null. Their ids count from 100. */
export async function rowsBothWays(
  name: CollectionName,
  rows: readonly Readonly<Record<string, string>>[],
): Promise<StoredBothWays> {
  const selects = rows.map((values, index) => {
    const own: Readonly<Record<string, string>> = { id: `'${100 + index}'`, geometry: POINT, bbox: BOX, version: "1" };
    const columns = knownCollection(name).columns.map(({ name: column, type }) => {
      const value = values[column] ?? own[column] ?? "NULL";
      return `(${value})::${type === "GEOMETRY" ? "BLOB" : type} AS "${column}"`;
    });
    return `SELECT ${columns.join(", ")}`;
  });
  return withDatabase((connection, folder) => store(connection, folder, name, selects.join(" UNION ALL ")));
}

async function withDatabase<T>(work: (connection: DuckDBConnection, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-"));
  const database = await DuckDBInstance.create();
  const connection = await database.connect();
  try {
    return await work(connection, folder);
  } finally {
    connection.closeSync();
    database.closeSync();
    await rm(folder, { recursive: true });
  }
}

async function store(
  connection: DuckDBConnection,
  folder: string,
  name: CollectionName,
  sql: string,
): Promise<StoredBothWays> {
  const path = join(folder, "rows.parquet");
  await connection.run(`COPY (${sql}) TO '${path}' (FORMAT parquet)`);
  const table = await decodeParquet(new Uint8Array(await readFile(path)));
  const slice: Slice = { sha256: "0".repeat(64), bytes: 1, pack: "-/0000000000000000", offset: 0 };
  const node: LocationNode = {
    ...slice,
    rows: table.numRows,
    bbox: [-180, -90, 180, 90],
    country: "MC",
    geohash: "-",
    points: slice,
    record: 0,
  };
  const plain = openPartition(knownCollection(name), node, table);
  const read = await connection.runAndReadAll(
    `SELECT to_json(r)::VARCHAR FROM (SELECT * EXCLUDE (geometry, bbox) FROM read_parquet('${path}')) r`,
  );
  const records = read.getRows().map(([json], row): StoredRecord => {
    const wkb = plain.geometry(row);
    return { json: new TextEncoder().encode(strictJson(String(json))), geometry: writeShort(readWkb(wkb)) ?? wkb };
  });
  return { plain, records: openRecords({ schema: knownCollection(name), country: node.country, blocks: 1 }, records) };
}

/** The database writes numbers that JSON cannot represent by name. */
function strictJson(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)/g, (part) => (part.startsWith('"') ? part : "null"));
}

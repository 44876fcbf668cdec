/**
 * Rows stored twice: as most runs have them, and as the term run does, with most columns in a record.
 * @module
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { COLLECTIONS, type Collection, type CollectionName } from "../../../data/format/collections.ts";
import { recordSql } from "../../../pipeline/term-runs/staged-rows.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { openPartition, type Partition } from "../store/partition.ts";

export interface StoredBothWays {
  readonly plain: Partition;
  /** With the columns that the term run has before those of its collection. */
  readonly packed: Partition;
}

const POINT = "unhex('010100000000000000000000000000000000000000')";
const BOX = "{xmin: 0.0::DOUBLE, xmax: 0.0::DOUBLE, ymin: 0.0::DOUBLE, ymax: 0.0::DOUBLE}";

/** The first rows of a file of Monaco, by id, all with the same box. */
export async function sampleBothWays(name: CollectionName): Promise<StoredBothWays> {
  const file = join(import.meta.dirname, `../../../data/sample/monaco/${name}.parquet`);
  return withDatabase(async (connection, folder) => {
    const described = await connection.runAndReadAll(`DESCRIBE FROM read_parquet('${file}')`);
    const has = new Set(described.getRows().map(([column]) => String(column)));
    const columns = COLLECTIONS[name].columns.map(({ name: column, type }) => {
      if (column === "geometry") return "ST_AsWKB(geometry)::BLOB AS geometry";
      if (column === "bbox") return `${BOX} AS bbox`;
      return `${has.has(column) ? `"${column}"` : "NULL"}::${type} AS "${column}"`;
    });
    const sql = `SELECT ${columns.join(", ")} FROM read_parquet('${file}') ORDER BY id LIMIT 2000`;
    return store(connection, folder, COLLECTIONS[name], sql);
  });
}

/** A row with these values, SQL expressions by column; the others are null. */
export async function rowBothWays(
  name: CollectionName,
  values: Readonly<Record<string, string>>,
): Promise<StoredBothWays> {
  const all: Readonly<Record<string, string>> = { id: "'a'", geometry: POINT, bbox: BOX, version: "1", ...values };
  const columns = COLLECTIONS[name].columns.map(
    ({ name: column, type }) => `(${all[column] ?? "NULL"})::${type === "GEOMETRY" ? "BLOB" : type} AS "${column}"`,
  );
  return withDatabase((connection, folder) =>
    store(connection, folder, COLLECTIONS[name], `SELECT ${columns.join(", ")}`),
  );
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
  collection: Collection,
  sql: string,
): Promise<StoredBothWays> {
  const open = async (list: string, terms = {}): Promise<Partition> => {
    const path = join(folder, "rows.parquet");
    await connection.run(`COPY (SELECT ${list} FROM (${sql})) TO '${path}' (FORMAT parquet)`);
    const table = decodeParquet(new Uint8Array(await readFile(path)));
    const node = { sha256: "0".repeat(64), bytes: 1, rows: table.numRows, bbox: [-180, -90, 180, 90] as const };
    return openPartition(collection.name, { ...node, country: "MC", ...terms }, table);
  };
  return {
    plain: await open("*"),
    packed: await open(
      `'a' AS term, false AS is_light, 'MC' AS row_country, id, geometry, bbox, ${recordSql(collection)} AS record`,
      {
        first_term: "a",
        last_term: "a",
        start: 0,
      },
    ),
  };
}

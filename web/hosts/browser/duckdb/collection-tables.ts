/**
 * Tables of collections in the SQL console: views over rows of partitions that were loaded. State is read over the user's
 * connection, so that rollbacks are seen. @module
 */

import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import { type Table, tableFromIPC } from "apache-arrow";
import type { CollectionName } from "../../../../data/format/collections.ts";
import { quoteIdentifier, quoteLiteral } from "../../../../data/format/sql.ts";
import type { ListedPartition, PartitionList } from "../../../engine/index.ts";
import type { TableSchema } from "../protocol/index.ts";
import { openDistanceFunctions } from "./distance-functions.ts";
import { openShapeFunctions } from "./shape-functions.ts";

const SCHEMA = "partitions";
const INCOMING = "incoming rows";
const NUMBER = "partition";

/** Opens the tables of collections over a DuckDB connection. */
export function collectionTables(bindings: DuckDBBindings, connection: number) {
  const query = (sql: string): Table => tableFromIPC(bindings.runQuery(connection, sql));
  const opened = new Map<string, CollectionName>();
  const numbered: ListedPartition[] = [];
  const numbers = new Map<string, number>();
  let stamps: PartitionList["stamps"] = {};

  function numberOf(partition: ListedPartition): number {
    const key = `${partition.collection} ${partition.node.sha256}`;
    const number = numbers.get(key) ?? numbered.push(partition) - 1;
    numbers.set(key, number);
    return number;
  }

  function rowsBy(collection: CollectionName): ReadonlyMap<number, number> {
    const counted = query(
      `SELECT ${NUMBER} AS number, count(*)::INTEGER AS rows FROM ${rowsOf(collection)} GROUP BY 1`,
    );
    return new Map(counted.toArray().map((row) => [Number(row.number), Number(row.rows)]));
  }

  /** Recreates the table, because DuckDB does not free the memory of deleted rows. */
  function keepOnly(collection: CollectionName, kept: readonly number[]): void {
    const table = rowsOf(collection);
    const condition = kept.length > 0 ? `${NUMBER} IN (${kept.join(", ")})` : "false";
    query(`CREATE OR REPLACE TABLE ${table} AS SELECT * FROM ${table} WHERE ${condition}`);
  }

  return {
    open(schemas: readonly TableSchema[]): void {
      if (opened.size > 0) return;
      query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
      openDistanceFunctions(bindings, connection);
      openShapeFunctions(bindings, connection);
      for (const { name, columns: own } of schemas) {
        const columns = own.map((column) => `${quoteIdentifier(column.name)} ${sqlType(column.type)}`);
        query(`CREATE TABLE ${rowsOf(name)} (${[...columns, "country VARCHAR", `${NUMBER} INTEGER`].join(", ")})`);
        query(`CREATE VIEW ${quoteIdentifier(name)} AS SELECT * EXCLUDE (${NUMBER}) FROM ${rowsOf(name)}`);
        opened.set(nameOfRows(name), name);
      }
    },

    /** Returns the collection whose rows are in the internal table of this name. */
    collectionOf: (table: string): CollectionName | undefined => opened.get(table),

    /**
     * Returns the partitions that are not loaded completely. Drops rows of other releases, and rows of partitions not
     * listed if memory is short.
     */
    missing(list: PartitionList, mostBytes: number): readonly ListedPartition[] {
      const listed = new Set(list.partitions.map(numberOf));
      const held = new Map<CollectionName, number[]>();
      let heldBytes = 0;
      for (const collection of opened.values()) {
        const stamp = list.stamps[collection];
        const isOld = stamp !== undefined && stamps[collection] !== undefined && stamps[collection] !== stamp;
        const all = rowsBy(collection);
        const isWhole = (number: number) => !isOld && numbered[number]?.node.rows === all.get(number);
        const whole = [...all.keys()].filter(isWhole);
        if (whole.length < all.size) keepOnly(collection, whole);
        held.set(collection, whole);
        for (const number of whole) heldBytes += numbered[number]?.node.bytes ?? 0;
      }
      stamps = { ...stamps, ...list.stamps };
      const here = new Set([...held.values()].flat());
      const missing = list.partitions.filter((partition) => !here.has(numberOf(partition)));
      const missingBytes = missing.reduce((sum, { node }) => sum + node.bytes, 0);
      if (missing.length > 0 && heldBytes + missingBytes > mostBytes) {
        for (const [collection, own] of held) {
          const kept = own.filter((number) => listed.has(number));
          if (kept.length < own.length) keepOnly(collection, kept);
        }
      }
      return missing;
    },

    fill(partition: ListedPartition, stream: Uint8Array): void {
      const { collection, node } = partition;
      query(`DROP TABLE IF EXISTS ${quoteIdentifier(INCOMING)}`);
      bindings.insertArrowFromIPCStream(connection, stream, { name: INCOMING, create: true });
      const values = `*, ${quoteLiteral(node.country)} AS country, ${numberOf(partition)} AS ${NUMBER}`;
      query(`INSERT INTO ${rowsOf(collection)} BY NAME SELECT ${values} FROM ${quoteIdentifier(INCOMING)}`);
      query(`DROP TABLE ${quoteIdentifier(INCOMING)}`);
    },
  };
}

const nameOfRows = (collection: CollectionName): string => `rows of ${collection}`;
const rowsOf = (collection: CollectionName): string => `${SCHEMA}.${quoteIdentifier(nameOfRows(collection))}`;

function sqlType(type: string): string {
  return type === "GEOMETRY" ? "BLOB" : type;
}

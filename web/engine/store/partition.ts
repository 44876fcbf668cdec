/**
 * A partition of the primary copy in memory.
 * @module
 */
import type { Table } from "apache-arrow";
import type { Collection } from "../../../data/format/collections.ts";
import type { LocationNode } from "../../../data/format/manifest.ts";
import { bytesAt, bytesHeldBy, columnOf, findColumn, memberOf, onlyBatch } from "../arrow/columns.ts";
import { createJsonReader } from "../arrow/json-reader.ts";
import { createJsonWriter } from "../arrow/json-writer.ts";
import { EngineError } from "../contract/errors.ts";
import type { Members } from "../contract/query.ts";
import { computedFrom } from "./computed-column.ts";
import type { Rows, StoredColumn } from "./rows.ts";

export interface Partition extends Rows {
  readonly node: LocationNode;
  readonly table: Table;
  readonly sizeBytes: number;
}

/**
 * Returns the rows of a partition. Throws `EngineError` when the table has another number of rows than the index says, or lacks a
 * column.
 */
export function openPartition(schema: Collection, node: LocationNode, table: Table): Partition {
  if (table.numRows !== node.rows) {
    const name = `partition ${node.sha256.slice(0, 16)} of ${schema.name}`;
    throw new EngineError(`${name} holds ${table.numRows} rows, expected ${node.rows}`);
  }
  const batch = onlyBatch(table);
  const ids = columnOf(batch, "id");
  const geometries = columnOf(batch, "geometry");
  const bbox = columnOf(batch, "bbox");
  const [west, south, east, north] = ["xmin", "ymin", "xmax", "ymax"].map((name) => memberOf(bbox, name).values);
  // ids are compared as bytes: a leading U+FEFF is a part of one
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const stored = (name: string, members?: Members): StoredColumn | undefined => {
    const data = findColumn(batch, name);
    if (!data) return undefined;
    return { read: createJsonReader(data, members), writer: (texts) => createJsonWriter(data, texts) };
  };
  return {
    collection: schema.name,
    schema,
    country: node.country,
    node,
    table,
    rows: table.numRows,
    sizeBytes: bytesHeldBy(batch),
    id: (row) => decoder.decode(bytesAt(ids, row)),
    geometry: (row) => bytesAt(geometries, row),
    bbox: (row) => [west[row], south[row], east[row], north[row]],
    column: (name, members) => computedFrom(schema, name, stored) ?? stored(name, members),
  };
}

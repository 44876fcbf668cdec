/**
 * The geometries of a partition's rows without the rows: enough to count what lies in a circle.
 * @module
 */
import type { Table } from "apache-arrow";
import type { PartitionNode } from "../../../data/format/manifest.ts";
import { bytesAt, bytesHeldBy, columnOf, onlyBatch } from "../arrow/columns.ts";
import { EngineError } from "../contract/errors.ts";

export interface Shape {
  readonly node: PartitionNode;
  readonly rows: number;
  readonly sizeBytes: number;
  /** The row's geometry as TWKB or WKB. The bytes are the table's own: not to be changed. */
  readonly geometry: (row: number) => Uint8Array;
}

/** The shapes of a partition. Throws when the table does not hold as many rows as the partition. */
export function openShape(node: PartitionNode, table: Table): Shape {
  if (table.numRows !== node.rows) {
    const name = `shapes of partition ${node.sha256.slice(0, 16)}`;
    throw new EngineError(`${name} hold ${table.numRows} rows, expected ${node.rows}`);
  }
  const batch = onlyBatch(table);
  const geometries = columnOf(batch, "geometry");
  return {
    node,
    rows: table.numRows,
    sizeBytes: bytesHeldBy(batch),
    geometry: (row) => bytesAt(geometries, row),
  };
}

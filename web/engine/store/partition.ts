/**
 * A partition in memory, with quick ways to the columns that every search needs.
 * @module
 */
import type { Table } from "apache-arrow";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { PartitionNode } from "../../../data/format/manifest.ts";
import { bytesAt, bytesHeldBy, columnOf, findColumn, memberOf, onlyBatch } from "../arrow/columns.ts";
import { EngineError } from "../contract/errors.ts";

/** The boxes of rows in degrees, a column each. */
export interface BoxColumns {
  readonly west: ArrayLike<number>;
  readonly south: ArrayLike<number>;
  readonly east: ArrayLike<number>;
  readonly north: ArrayLike<number>;
}

export interface Partition {
  readonly collection: CollectionName;
  readonly node: PartitionNode;
  readonly table: Table;
  readonly rows: number;
  readonly sizeBytes: number;
  readonly boxes: BoxColumns;
  readonly id: (row: number) => string;
  /** The row's geometry. The bytes are the table's own: not to be changed. Throws in a partition of light rows, which has none. */
  readonly wkb: (row: number) => Uint8Array;
}

/** The rows of a partition. Throws when the table does not hold what the index says. */
export function openPartition(collection: CollectionName, node: PartitionNode, table: Table): Partition {
  if (table.numRows !== node.rows) {
    const name = `partition ${node.sha256.slice(0, 16)} of ${collection}`;
    throw new EngineError(`${name} holds ${table.numRows} rows, expected ${node.rows}`);
  }
  const batch = onlyBatch(table);
  const ids = columnOf(batch, "id");
  const geometries = findColumn(batch, "geometry");
  const bbox = columnOf(batch, "bbox");
  // ids are compared as bytes: a leading U+FEFF is a part of one
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    collection,
    node,
    table,
    rows: table.numRows,
    sizeBytes: bytesHeldBy(batch),
    boxes: {
      west: memberOf(bbox, "xmin").values,
      south: memberOf(bbox, "ymin").values,
      east: memberOf(bbox, "xmax").values,
      north: memberOf(bbox, "ymax").values,
    },
    id: (row) => decoder.decode(bytesAt(ids, row)),
    wkb: (row) => bytesAt(geometries ?? columnOf(batch, "geometry"), row),
  };
}

/** The geometries of a partition's rows without the rows: enough to count what lies in a circle. */
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

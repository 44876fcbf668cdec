/**
 * Rows of the term run with their columns as those of other runs have them.
 * @module
 */
import { type DataType, Table, Type, type Vector } from "apache-arrow";
import { COLLECTIONS } from "../../../../data/format/collections.ts";
import {
  columnOf,
  createJsonReader,
  type Json,
  onlyBatch,
  type Partition,
  storedColumn,
} from "../../../engine/index.ts";
import { vectorOf } from "../own-files/index.ts";
import { arrowTypeOf } from "./arrow-type.ts";

/** The partition's full rows, with the columns of its collection. Light rows, which have few of them, are left out. */
export function unpackedTable(partition: Partition): Table {
  const isLight = createJsonReader(columnOf(onlyBatch(partition.table), "is_light"));
  const rows = Array.from({ length: partition.rows }, (_, row) => row).filter((row) => isLight(row) === false);
  const columns = COLLECTIONS[partition.collection].columns.map(({ name, type }): [string, Vector] => {
    if (type === "GEOMETRY") return [name, vectorOf(rows.map(partition.wkb), arrowTypeOf(type))];
    const read = storedColumn(partition, name)?.read ?? (() => null);
    const arrowType = arrowTypeOf(type);
    return [
      name,
      vectorOf(
        rows.map((row) => toBuilder(read(row), arrowType)),
        arrowType,
      ),
    ];
  });
  return new Table(Object.fromEntries(columns));
}

/** The value as Arrow's builders take it: maps are no objects there. */
function toBuilder(value: Json | undefined, type: DataType): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item) => toBuilder(item, type.children[0]?.type));
  if (typeof value !== "object") return value;
  const members = value as Readonly<Record<string, Json>>;
  if (type.typeId === Type.Map) return new Map(Object.entries(members));
  return Object.fromEntries(
    type.children.map((field: { name: string; type: DataType }) => [
      field.name,
      toBuilder(members[field.name], field.type),
    ]),
  );
}

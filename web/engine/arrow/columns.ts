/**
 * Access to Arrow tables of one record batch, as the engine uses them.
 * @module
 */
import type { Data, RecordBatch, Table } from "apache-arrow";
import { EngineError } from "../contract/errors.ts";

/** Returns the record batch of the table. Throws unless it has exactly one. */
export function onlyBatch(table: Table): RecordBatch {
  const [batch, ...others] = table.batches;
  if (!batch || others.length > 0) {
    throw new EngineError(`table has ${table.batches.length} record batches, expected 1`);
  }
  return batch;
}

/** Bytes of memory that the batch keeps alive: its columns may be views of larger buffers. */
export function bytesHeldBy({ data }: RecordBatch): number {
  const buffers = new Set<ArrayBufferLike>();
  const visit = (part: Data): void => {
    for (const view of Object.values(part.buffers)) if (view) buffers.add(view.buffer);
    part.children.forEach(visit);
  };
  visit(data);
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Returns the column, or undefined when it is missing. */
export function findColumn(batch: RecordBatch, name: string): Data | undefined {
  return batch.getChild(name)?.data[0];
}

/** Returns the column. Throws when it is missing. */
export function columnOf(batch: RecordBatch, name: string): Data {
  const data = findColumn(batch, name);
  if (!data) throw new EngineError(`table has no column ${name}`);
  return data;
}

/** Returns the member of a struct column. Throws when it is missing. */
export function memberOf(struct: Data, name: string): Data {
  const index = struct.type.children.findIndex((field: { name: string }) => field.name === name);
  const data = struct.children[index];
  if (!data) throw new EngineError(`column has no member ${name}`);
  return data;
}

/** Returns the bytes of a row of a text or binary column as a view. */
export function bytesAt(data: Data, row: number): Uint8Array {
  return data.values.subarray(data.valueOffsets[row], data.valueOffsets[row + 1]);
}

/** Returns the member of a nested column by index. Throws when it is missing. */
export function childOf(data: Data, index: number): Data {
  const child = data.children[index];
  if (!child) throw new EngineError(`column of Arrow type ${data.type} has no member ${index}`);
  return child;
}

/** Returns a function that tests a row for a value; undefined when all rows have one. */
export function validityOf({ nullCount, nullBitmap, offset }: Data): ((row: number) => boolean) | undefined {
  if (nullCount === 0 || !nullBitmap || nullBitmap.length === 0) return undefined;
  return (row) => (((nullBitmap[(offset + row) >> 3] ?? 0) >> ((offset + row) & 7)) & 1) === 1;
}

import { type Table, tableToIPC } from "apache-arrow";
import type { Collection } from "../../../../data/format/collections.ts";

/** Returns the rows of a partition as an Arrow stream, with the collection's columns only. */
export function partitionStream(schema: Collection, table: Table): ArrayBuffer {
  const names = schema.columns.map(({ name }) => name);
  // a copy: sending it to another worker transfers the buffer
  return tableToIPC(table.select(names), "stream").slice().buffer;
}

import { type Table, tableToIPC } from "apache-arrow";
import { COLLECTIONS, type CollectionName } from "../../../../data/format/collections.ts";

/** Returns the rows of a partition as an Arrow stream with the columns of the console. */
export function partitionStream(collection: CollectionName, table: Table): ArrayBuffer {
  const names = COLLECTIONS[collection].columns.map(({ name }) => name);
  // a copy: sending it to another worker transfers the buffer
  return tableToIPC(table.select(names), "stream").slice().buffer;
}

import { type Table, tableToIPC } from "apache-arrow";
import { COLLECTIONS, type CollectionName } from "../../../../data/format/collections.ts";

export function partitionStream(collection: CollectionName, table: Table): ArrayBuffer {
  const names = COLLECTIONS[collection].columns.map(({ name }) => name);
  // a copy: what is sent to another worker is gone here
  return tableToIPC(table.select(names), "stream").slice().buffer;
}

/**
 * The rows that searches have left in memory, a table for each collection.
 * @module
 */
import { Table, tableToIPC } from "apache-arrow";
import { COLLECTIONS, type CollectionName } from "../../../../data/format/collections.ts";
import { RECORD_COLUMN } from "../../../../data/format/terms.ts";
import type { Partition } from "../../../engine/index.ts";
import type { LoadedCollection } from "../protocol/index.ts";
import { unpackedTable } from "./unpacked-table.ts";

/** Collections with rows in memory, in the order of the alphabet. */
export function loadedCollections(partitions: readonly Partition[]): LoadedCollection[] {
  const names = [...new Set(partitions.map(({ collection }) => collection))].sort();
  return names.flatMap((collection) => {
    const own = wholeRows(partitions, collection);
    const stamp = own.map(({ node }) => node.sha256.slice(0, 16)).sort();
    return own.length > 0 ? [{ collection, stamp: stamp.join() }] : [];
  });
}

/** The rows of a collection as an Arrow stream. One that was read in several orders comes several times. */
export function loadedTable(partitions: readonly Partition[], collection: CollectionName): ArrayBuffer {
  const batches = wholeRows(partitions, collection).flatMap((partition) => {
    const { table } = partition;
    return (hasRecords(partition) ? unpackedTable(partition) : table.select(columnsOf(collection))).batches;
  });
  // a copy: what is sent to another worker is gone here
  return tableToIPC(new Table(batches), "stream").slice().buffer;
}

/** The partitions whose rows have all columns: runs for counts and light rows leave some out. */
function wholeRows(partitions: readonly Partition[], collection: CollectionName): Partition[] {
  return partitions.filter((partition) => {
    if (partition.collection !== collection) return false;
    const names = new Set(partition.table.schema.fields.map(({ name }) => name));
    return hasRecords(partition) || columnsOf(collection).every((name) => names.has(name));
  });
}

/** Whether it is of the term run, with full rows. */
function hasRecords({ table }: Partition): boolean {
  return table.schema.fields.some(({ name }) => name === RECORD_COLUMN);
}

function columnsOf(collection: CollectionName): string[] {
  return COLLECTIONS[collection].columns.map(({ name }) => String(name));
}

/**
 * The answers of the page's own worker about rows for the console.
 * @module
 */
import { type Table, tableToIPC } from "apache-arrow";
import { COLLECTIONS } from "../../../../data/format/collections.ts";
import type { Dataset, ListedPartition } from "../../../engine/index.ts";
import type { ConsoleCalls, RemoteHandlers } from "../protocol/index.ts";

export function datasetHandlers(
  opened: () => Promise<Dataset>,
): Pick<RemoteHandlers, keyof Pick<ConsoleCalls, "consolePartitions" | "consoleRows">> {
  return {
    consolePartitions: async (wanted, signal) => (await opened()).partitions(wanted, { signal }),
    consoleRows: async (partition, signal) =>
      rowsOf(partition, await (await opened()).partitionTable(partition, { signal })),
  };
}

/** The columns of the collection, whatever others the file has. */
function rowsOf({ collection }: ListedPartition, table: Table): ArrayBuffer {
  const names = COLLECTIONS[collection].columns.map(({ name }) => name);
  // a copy: what is sent to another worker is gone here
  return tableToIPC(table.select(names), "stream").slice().buffer;
}

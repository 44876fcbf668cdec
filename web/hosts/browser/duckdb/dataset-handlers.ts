import type { Dataset } from "../../../engine/index.ts";
import type { ConsoleCalls, RemoteHandlers } from "../protocol/index.ts";

export function datasetHandlers(
  opened: () => Dataset,
): Pick<RemoteHandlers, keyof Pick<ConsoleCalls, "consolePartitions" | "consoleRows">> {
  return {
    consolePartitions: async (wanted, signal) => opened().partitions(wanted, { signal }),
    async consoleRows(partition, signal) {
      const table = await opened().partitionTable(partition, { signal });
      // Arrow's writer is no part of a first visit
      const { partitionStream } = await import("./partition-stream.ts");
      return partitionStream(partition.collection, table);
    },
  };
}

/**
 * Handlers of the console worker. DuckDB runs there alone, so an endless statement blocks nothing else, and ends when the worker
 * is terminated. @module
 */

import { duckdbWasm } from "virtual:shipped-files";
import { collectionIn } from "../../../../data/format/own-collections.ts";
import type { Dataset } from "../../../engine/index.ts";
import { loadPart } from "../parts/index.ts";
import { type ConsoleCalls, type RemoteHandlers, type StatisticsCalls, statementBounds } from "../protocol/index.ts";
import { withWasm } from "../wasm/index.ts";
import type { Console } from "./console-database.ts";
import { sealNetwork } from "./seal-network.ts";

/**
 * Returns the handlers of the console worker. `startConsole` must be called first. It removes network access from the worker for
 * ever.
 */
export function consoleHandlers(): Pick<
  RemoteHandlers,
  keyof Omit<ConsoleCalls, "consolePartitions" | "consoleRows"> | keyof Pick<StatisticsCalls, "countTable">
> {
  let console: Console | undefined;
  const started = (): Console => {
    if (!console) throw new Error("the SQL console has not been started: call startConsole first");
    return console;
  };
  return {
    async startConsole(base, _, report) {
      const onProgress = (receivedBytes: number) => {
        const totalBytes = duckdbWasm.bytes;
        report({ receivedBytes: Math.min(receivedBytes, totalBytes), totalBytes });
      };
      const bindings = loadPart(() => import("./duckdb-blocking.ts"));
      // reported when the module is here
      bindings.catch(() => {});
      const options = { base: new URL(base), keepPlain: false, onProgress };
      console = await withWasm(duckdbWasm, options, async (wasm) => (await bindings).createConsole(wasm));
      sealNetwork(self);
      return undefined;
    },
    async openTables(collections) {
      started().open(collections);
      return undefined;
    },
    missingFiles: async (tables) => started().missingFiles(tables),
    async fillFile({ table, stream }) {
      started().fillFile(table, new Uint8Array(stream));
      return undefined;
    },
    async nameFound(select) {
      started().nameFound(select);
      return undefined;
    },
    splitConsole: async (sql) => started().statements(sql),
    consoleNeeds: async (statement) => started().needs(statement),
    missingPartitions: async (list) => started().missing(list, statementBounds(navigator).bytes),
    async fillConsole({ partition, stream }) {
      started().fill(partition, new Uint8Array(stream));
      return undefined;
    },
    consoleTables: async () => started().tables(),
    async countTable(stream) {
      const { countTable } = await loadPart(() => import("../statistics/index.ts"));
      return started().over(new Uint8Array(stream), countTable);
    },
    runConsole: async (statement) => started().run(statement),
    duckdbSearch: async (statements) => started().search(statements),
    duckdbExport: async (wanted) => (await started().export(wanted)).buffer,
    consoleCsv: async () => started().csv().slice().buffer,
  };
}

/** Returns the handlers of the search worker that deliver rows to the console. */
export function datasetHandlers(
  opened: () => Dataset,
): Pick<RemoteHandlers, keyof Pick<ConsoleCalls, "consolePartitions" | "consoleRows">> {
  return {
    consolePartitions: async (wanted, signal) => opened().partitions(wanted, { signal }),
    async consoleRows(partition, signal) {
      const table = await opened().partitionTable(partition, { signal });
      // keeps Arrow's writer out of the first visit
      const { partitionStream } = await loadPart(() => import("./partition-stream.ts"));
      return partitionStream(collectionIn(await opened().manifest(signal), partition.collection), table);
    },
  };
}

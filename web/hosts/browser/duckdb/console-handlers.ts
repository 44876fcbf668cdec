/**
 * The worker's answers about the reader's own SQL. The program is started a second time for the console, so that a
 * statement without an end holds nobody else up, and ends with its worker.
 * @module
 */
import { duckdbWasm } from "virtual:shipped-files";
import type { Partition } from "../../../engine/index.ts";
import type { ConsoleCalls, RemoteHandlers, StatisticsCalls } from "../protocol/index.ts";
import { countTable } from "../statistics/index.ts";
import { withWasm } from "../wasm/index.ts";
import type { Console } from "./console-database.ts";
import { loadedCollections, loadedTable } from "./loaded-rows.ts";
import { sealNetwork } from "./seal-network.ts";

/** `loaded` gives the partitions in memory. */
export function consoleHandlers(
  loaded: () => Promise<readonly Partition[]>,
): Pick<RemoteHandlers, keyof ConsoleCalls | keyof Pick<StatisticsCalls, "countTable">> {
  let console: Console | undefined;
  const started = (): Console => {
    if (!console) throw new Error("the console has not been started");
    return console;
  };
  return {
    loadedRows: async () => loadedCollections(await loaded()),
    loadedTable: async (collection) => loadedTable(await loaded(), collection),
    async startConsole(base, _, report) {
      const onProgress = (receivedBytes: number) => {
        const totalBytes = duckdbWasm.bytes;
        report({ receivedBytes: Math.min(receivedBytes, totalBytes), totalBytes });
      };
      const bindings = import("./duckdb-blocking.ts");
      const options = { base: new URL(base), keepPlain: false, onProgress };
      console = await withWasm(duckdbWasm, options, async (wasm) => (await bindings).createConsole({ wasm }));
      sealNetwork(self);
      return undefined;
    },
    async fillConsole({ name, stream }) {
      started().fill(name, new Uint8Array(stream));
      return undefined;
    },
    consoleTables: async () => started().tables(),
    countTable: async (stream) => started().over(new Uint8Array(stream), countTable),
    runConsole: async (sql) => started().run(sql),
  };
}

/**
 * The database that tests run on.
 * @module
 */
import { createRequire } from "node:module";
import { createDuckDB, type DuckDBBindings, NODE_RUNTIME, VoidLogger } from "@duckdb/duckdb-wasm/blocking";
import { type Console, openConsole } from "../../hosts/browser/duckdb/console-database.ts";

/** Creates the database of the SQL console, with the bindings for Node. */
export async function createWasmConsole(memoryMebibytes?: number): Promise<Console> {
  return openConsole(await startBindings(), memoryMebibytes);
}

async function startBindings(): Promise<DuckDBBindings> {
  const mainModule = createRequire(import.meta.url).resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm");
  const files = { mainModule, mainWorker: "" };
  const bindings = await createDuckDB({ mvp: files, eh: files }, new VoidLogger(), NODE_RUNTIME);
  await bindings.instantiate(() => {});
  return bindings;
}

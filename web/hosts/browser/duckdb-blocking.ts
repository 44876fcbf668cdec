/**
 * Starts DuckDB-WASM on this thread: a page's worker or a service worker, where no other worker can be made.
 * @module
 */
import { BROWSER_RUNTIME, createDuckDB, getPlatformFeatures, VoidLogger } from "duckdb-browser-blocking";
import { EngineError } from "../../engine/errors.ts";
import type { Database } from "../../engine/ports.ts";
import { openDuckdb } from "./duckdb-bindings.ts";

export interface DuckdbOptions {
  /** `duckdb-eh.wasm`, served as `application/wasm`. */
  readonly wasm: Response | Promise<Response>;
}

type Instantiate = (
  imports: WebAssembly.Imports,
  succeed: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => WebAssembly.Exports;

/** Starts a database. The module compiles while it streams. Throws when it cannot be had or the browser is too old. */
export async function createDuckdb({ wasm }: DuckdbOptions): Promise<Database> {
  if (!(await getPlatformFeatures()).wasmExceptions) {
    throw new EngineError("this browser has no WebAssembly exceptions, expected by DuckDB");
  }
  const module = await WebAssembly.compileStreaming(wasm);
  const noFile = { mainModule: "", mainWorker: "" };
  const bindings = await createDuckDB({ mvp: noFile, eh: noFile }, new VoidLogger(), BROWSER_RUNTIME);
  await new Promise<void>((resolve, reject) => {
    // the bindings' own way fetches an address, and never tells of a failure
    const instantiateWasm: Instantiate = (imports, succeed) => {
      Object.assign(globalThis, { DUCKDB_RUNTIME: BROWSER_RUNTIME });
      WebAssembly.instantiate(module, imports).then((instance) => succeed(instance, module), reject);
      return {};
    };
    Object.assign(bindings, { instantiateWasm });
    bindings.instantiate(() => {}).then(() => resolve(), reject);
  });
  return openDuckdb(bindings);
}

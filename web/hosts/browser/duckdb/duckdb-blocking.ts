import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import { BROWSER_RUNTIME, createDuckDB, getPlatformFeatures, VoidLogger } from "duckdb-browser-blocking";
import { EngineError } from "../../../engine/index.ts";
import { consoleMebibytes } from "../protocol/index.ts";
import { type Console, openConsole } from "./console-database.ts";

type Instantiate = (
  imports: WebAssembly.Imports,
  succeed: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => WebAssembly.Exports;

/** Opens the console's database. `wasm` is the response with DuckDB's WebAssembly. Throws like `startBindings`. */
export async function createConsole(wasm: Response): Promise<Console> {
  return openConsole(await startBindings(wasm), consoleMebibytes(navigator));
}

/**
 * Starts DuckDB. `wasm` is the response with `duckdb-eh.wasm`, served as `application/wasm`. Throws `EngineError` when the
 * browser is too old, and the platform's error when the module cannot be loaded.
 */
export async function startBindings(wasm: Response): Promise<DuckDBBindings> {
  if (!(await getPlatformFeatures()).wasmExceptions) {
    throw new EngineError(
      "this browser does not support WebAssembly exceptions, which DuckDB needs: use a newer browser",
    );
  }
  const module = await WebAssembly.compileStreaming(wasm);
  const noFile = { mainModule: "", mainWorker: "" };
  const bindings = await createDuckDB({ mvp: noFile, eh: noFile }, new VoidLogger(), BROWSER_RUNTIME);
  await new Promise<void>((resolve, reject) => {
    // the default of the bindings fetches a URL and does not report failures
    const instantiateWasm: Instantiate = (imports, succeed) => {
      Object.assign(globalThis, { DUCKDB_RUNTIME: BROWSER_RUNTIME });
      WebAssembly.instantiate(module, imports).then((instance) => succeed(instance, module), reject);
      return {};
    };
    Object.assign(bindings, { instantiateWasm });
    bindings.instantiate(() => {}).then(() => resolve(), reject);
  });
  return bindings;
}

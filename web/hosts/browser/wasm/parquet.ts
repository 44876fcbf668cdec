import init, { initSync, readParquet, wasmMemory } from "parquet-wasm/esm";
import type { DecodeParquet } from "../../../engine/index.ts";
import { createDecoder } from "../../parquet/index.ts";

/** Starts the Parquet reader. `wasm` is the response with its WebAssembly. */
export async function initParquet(wasm: Response): Promise<DecodeParquet> {
  const module = await WebAssembly.compileStreaming(wasm);
  await init({ module_or_path: module });
  let isStarted = true;
  return createDecoder(() => {
    if (!isStarted) initSync({ module });
    isStarted = false;
    return { readParquet, wasmMemory };
  });
}

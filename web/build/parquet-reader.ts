/**
 * What the builds change in parquet-wasm's own script.
 * @module
 */
import type { Plugin } from "vite";

/** It names its module itself, whole and uncompressed, for callers who give it none: ours do. */
const DEFAULT_MODULE = "new URL('parquet_wasm_bg.wasm', import.meta.url)";
/** It starts once and never again, not even when it has run out of memory and can read nothing more. */
const ONCE = "if (wasm !== undefined) return wasm;";

/** parquet-wasm without a module of its own, and able to be started anew; for every build in which the engine is. */
export function parquetReader(): Plugin {
  return {
    name: "cairn:parquet-reader",
    transform(code, id) {
      if (!id.includes("/parquet-wasm/esm/")) return undefined;
      for (const part of [DEFAULT_MODULE, ONCE]) {
        if (!code.includes(part)) throw new Error(`${id} does not hold ${part}`);
      }
      return { code: code.replaceAll(ONCE, "").replace(DEFAULT_MODULE, "undefined"), map: null };
    },
  };
}

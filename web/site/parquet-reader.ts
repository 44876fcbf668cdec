/**
 * Changes to the script of parquet-wasm in our builds.
 * @module
 */
import type { Plugin } from "vite";

/** Its default module, whole and uncompressed, which our code never uses. */
const DEFAULT_MODULE = "new URL('parquet_wasm_bg.wasm', import.meta.url)";
/** It starts only once, even after it has run out of memory and cannot read any more. */
const ONCE = "if (wasm !== undefined) return wasm;";

/** Removes the default module and allows restarts, for every build that includes the engine. */
export function parquetReader(): Plugin {
  return {
    name: "cairn:parquet-reader",
    transform(code, id) {
      if (!id.includes("/parquet-wasm/esm/")) return undefined;
      for (const part of [DEFAULT_MODULE, ONCE]) {
        if (!code.includes(part))
          throw new Error(`${id} does not contain ${part}: another version of parquet-wasm needs other changes`);
      }
      return { code: code.replaceAll(ONCE, "").replace(DEFAULT_MODULE, "undefined"), map: null };
    },
  };
}

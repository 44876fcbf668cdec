/**
 * Changes to the script of parquet-wasm in our builds.
 * @module
 */
import type { Plugin } from "vite";

/** The code that loads the package's own module, whole and uncompressed. Our code never uses it. */
const DEFAULT_MODULE = "new URL('parquet_wasm_bg.wasm', import.meta.url)";
/** The code by which the reader starts only once, even after it has run out of memory. */
const ONCE = "if (wasm !== undefined) return wasm;";

/** Returns a plugin that removes the default module and allows restarts, for every build that includes the engine. */
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

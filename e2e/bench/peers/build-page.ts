/**
 * Builds the benchmark's page: Cairn with the sources and settings of the site, peers from their packages.
 * @module
 */
import { resolve } from "node:path";
import { build } from "vite";
import { CATEGORY_WORDS_FILES } from "../../../web/site/category-words-files.ts";
import { parquetReader } from "../../../web/site/parquet-reader.ts";
import { emitShippedFiles, shippedFiles } from "../../../web/site/shipped-files.ts";
import { wasmFiles } from "../../../web/site/wasm.ts";
import { WORLD_FILE } from "../../../web/site/world.ts";

const recipes = [...wasmFiles("small"), WORLD_FILE, ...CATEGORY_WORDS_FILES];

/** Builds the benchmark's page into a folder. */
export async function buildBenchPage(out: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    root: resolve("e2e/bench/peers/page"),
    base: "./",
    build: {
      outDir: resolve(out),
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2500,
      rolldownOptions: { checks: { eval: false, bundlerTimings: false } },
    },
    resolve: {
      alias: {
        "duckdb-browser-blocking": resolve("node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser-blocking.mjs"),
      },
    },
    plugins: [shippedFiles(recipes), parquetReader(), emitShippedFiles(recipes)],
  });
}

/**
 * The ES modules for other sites: `embed/cairn.js` and `embed/cairn-map.js`. They load only scripts by relative
 * imports, so that a bundler includes everything and no file has to be copied. Workers are texts inside these
 * scripts.
 * @module
 */
import { join, resolve } from "node:path";
import { build, type Plugin } from "vite";
import { elementText } from "./element-text.ts";
import { TEXT_TABLES } from "./library.ts";
import { MAKI_FILE } from "./maki-file.ts";
import { parquetReader } from "./parquet-reader.ts";
import { shippedFiles } from "./shipped-files.ts";
import { type PageLevel, wasmFiles } from "./wasm.ts";
import { WORLD_FILE } from "./world.ts";
import { zodLocales } from "./zod-locales.ts";

const pluginsAt = (level: PageLevel) => () => [
  shippedFiles([...wasmFiles(level), WORLD_FILE, MAKI_FILE]),
  parquetReader(),
  zodLocales(),
  elementText(),
];

/** Removes the address of MapLibre's worker, which bundlers would treat as a file to copy. Our code provides the worker. */
const mapLibreWorker: Plugin = {
  name: "cairn:maplibre-worker",
  transform: (code, id) =>
    id.endsWith("/maplibre-gl.mjs")
      ? { code: code.replaceAll("import.meta.url", "location.href"), map: null }
      : undefined,
};

/** Builds both modules into `out`, each separately: code that they shared would be another script to wait for. */
export async function buildEmbedModules(out: string, level: PageLevel): Promise<void> {
  await Promise.all([
    buildModule(out, level, "cairn", "web/embed/index.ts"),
    buildModule(out, level, "cairn-map", "web/embed/map/element.ts"),
  ]);
}

async function buildModule(out: string, level: PageLevel, name: string, entry: string): Promise<void> {
  const plugins = pluginsAt(level);
  const rolldownOptions = {
    checks: { bundlerTimings: false },
    output: {
      chunkFileNames: "assets/[name]-[hash].js",
      minify: true,
      // what the start and a later part share is one script
      codeSplitting: { groups: [{ name: "parts", test: /\/(data\/format\/limits|hosts\/browser\/parts\/\w+)\.ts$/ }] },
    },
  };
  await build({
    configFile: false,
    logLevel: "warn",
    json: TEXT_TABLES,
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [plugins(), mapLibreWorker],
    worker: { format: "iife", plugins },
    build: {
      outDir: resolve(join(out, "embed")),
      emptyOutDir: false,
      copyPublicDir: false,
      target: "es2022",
      lib: { entry, formats: ["es"], fileName: () => `${name}.js` },
      rolldownOptions,
    },
  });
}

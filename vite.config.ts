import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { CATEGORY_WORDS_FILES } from "./web/site/category-words-files.ts";
import { devDataset } from "./web/site/dev-dataset.ts";
import { LAND_FILE } from "./web/site/land.ts";
import { TEXT_TABLES } from "./web/site/library.ts";
import { emitLlmsTexts } from "./web/site/llms.ts";
import { MAKI_FILE } from "./web/site/maki-file.ts";
import { earlyStart, writePolicies } from "./web/site/page-heads.ts";
import { parquetReader } from "./web/site/parquet-reader.ts";
import { plainMessages } from "./web/site/plain-messages.ts";
import { serviceWorker } from "./web/site/service-worker.ts";
import { emitShippedFiles, type Recipe, shippedFiles } from "./web/site/shipped-files.ts";
import { FAST_MODE, type PageLevel, wasmFiles } from "./web/site/wasm.ts";
import { WORLD_FILE } from "./web/site/world.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const recipesAt = (level: PageLevel) => [
  ...wasmFiles(level),
  WORLD_FILE,
  LAND_FILE,
  MAKI_FILE,
  ...CATEGORY_WORDS_FILES,
];
const start = earlyStart({ page: "/index.html", paint: "first-land", start: "start", worker: "page-worker" });
/** For each of the builds in which the engine is. */
const engineBuild = (recipes: readonly Recipe[]) => [shippedFiles(recipes), parquetReader()];

/** sql.js and sax import modules of Node, which they do not use in a browser. */
const FOR_NODE = /externalized for browser compatibility, imported by ".*\/node_modules\/(sql\.js|sax)\//;

/** Leaves out warnings that need no action. */
const fewerWarnings: Plugin = {
  name: "cairn:fewer-warnings",
  configResolved({ logger }) {
    const { warn } = logger;
    logger.warn = (message, options) => {
      if (!FOR_NODE.test(message)) warn(message, options);
    };
  },
};

/** DuckDB's bindings hold an `eval` of Emscripten's that is never run. */
const rolldownOptions = { checks: { eval: false, bundlerTimings: false } };

/** Not among the package's exports. The other bindings start a Worker, which a service worker cannot do. */
const duckdbBlocking = here("node_modules/@duckdb/duckdb-wasm/dist/duckdb-browser-blocking.mjs");

/**
 * Files that a visit without a network needs. The Parquet reader is one: it reads the rows of a saved area. Large files that few
 * visits need are cached when they are first used: DuckDB, the REST reference, names and intents of categories, parsers of
 * tables, and the rules and time zones of opening hours. The system keeps the PNG icons when it installs the page.
 */
const isCached = (path: string) =>
  (/\.(html|js|css|json|svg|woff2|webmanifest)$/.test(path) || /^assets\/parquet-[^/]*\.wasm\.z$/.test(path)) &&
  !/^(404\.html$|docs\/|assets\/(docs|hours-rules|intents|mcp|overture|tables|tz|words)-)/.test(path);

const TABLE_PARSERS =
  /\/node_modules\/(@bokuweb\/zstd-wasm|@e965\/xlsx|@tmcw\/togeojson|@xmldom\/xmldom|fzstd|hyparquet-compressors|hysnappy|mgrs|osm-polygon-features|parsedbf|proj4|proj4-list|sax|shpjs|sql\.js|topojson-client|wkt-parser)\//;
const PARSER_OF: Readonly<Record<string, string>> = {
  fzstd: "hyparquet-compressors",
  hysnappy: "hyparquet-compressors",
  mgrs: "proj4",
  parsedbf: "shpjs",
  "wkt-parser": "proj4",
};

/** Each optional parser of tables is a script of its own, by whose name it is not cached in advance. */
function tableParser(module: string): string | null {
  const found = TABLE_PARSERS.exec(module)?.[1];
  return found === undefined ? null : `tables-${PARSER_OF[found] ?? found.replace(/^.*\//, "")}`;
}

/**
 * A worker starts with a script that nothing imports. It loads one other script: WebKit would run that a second time,
 * with nothing open. Of the packages named here the start needs little, and what is loaded later needs all.
 */
const workerOptions = {
  ...rolldownOptions,
  experimental: { chunkOptimization: false },
  output: {
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: tableParser, test: TABLE_PARSERS },
        { name: "hours-rules", test: /\/node_modules\/(opening_hours|suncalc)\// },
        {
          name: "engine",
          tags: ["$initial" as const],
          test: /^(?!.*\/(apache-arrow|fflate|flatbuffers|maplibre-gl|tslib)\/)/,
        },
      ],
    },
  },
};

/**
 * What the page needs at once is one script, which compresses better than many. The connection to the worker is another, because it
 * starts earlier, and so is the outline of land. The reference of the interface shares the third.
 */
const pageGroups = [
  { name: "first-land", priority: 4, test: /\/web\/app\/map\/first-land\.ts$/ },
  { name: "shared", priority: 3, test: /\/web\/hosts\/browser\/protocol\/service-worker-address\.ts$/ },
  { name: "worker", priority: 2, test: /\/web\/app\/worker\/|\/node_modules\/@?preact\/|preload-helper/ },
  { name: "app", priority: 1, tags: ["$initial" as const], test: /\/web\/app\/app\.tsx$/ },
];

export default defineConfig(({ mode }) => {
  const recipes = recipesAt(mode === FAST_MODE ? "fast" : "small");
  return {
    root: here("web/app"),
    // Every address is relative, so that the folder can be put below any path.
    base: "./",
    json: TEXT_TABLES,
    build: {
      outDir: here("dist"),
      emptyOutDir: true,
      target: "es2022",
      // Browsers of before 2023 load the scripts one after the other.
      modulePreload: { polyfill: false },
      // A file of its own is cached by its own name.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2500,
      rolldownOptions: {
        ...rolldownOptions,
        output: { codeSplitting: { groups: pageGroups } },
        input: {
          page: here("web/app/index.html"),
          start: here("web/app/start.ts"),
          docs: here("web/app/docs/index.html"),
        },
      },
    },
    resolve: {
      alias: { "duckdb-browser-blocking": duckdbBlocking },
    },
    worker: { format: "es", plugins: () => [engineBuild(recipes), start.worker], rolldownOptions: workerOptions },
    plugins: [
      engineBuild(recipes),
      plainMessages(),
      fewerWarnings,
      emitShippedFiles(recipes),
      emitLlmsTexts((path) => here(path)),
      start.page,
      writePolicies(),
      devDataset(here(".cairn/dataset")),
      serviceWorker({
        entry: here("web/hosts/browser/workers/service-worker.ts"),
        plugins: engineBuild(recipes),
        alias: { "duckdb-browser-blocking": duckdbBlocking },
        isCached,
        maxFileBytes: 8 * 1024 * 1024,
      }),
    ],
  };
});

/** DuckDB-WASM on the caller's thread: not among the package's exports, made known to Vite by path. */
declare module "duckdb-browser-blocking" {
  type Blocking = typeof import("@duckdb/duckdb-wasm/blocking");

  export const createDuckDB: Blocking["createDuckDB"];
  export const getPlatformFeatures: Blocking["getPlatformFeatures"];
  export const VoidLogger: Blocking["VoidLogger"];
  export const BROWSER_RUNTIME: Blocking["NODE_RUNTIME"];
}

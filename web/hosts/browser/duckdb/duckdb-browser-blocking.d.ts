/** DuckDB-WASM on the thread of the caller. The package does not export it; Vite resolves it by path. */
declare module "duckdb-browser-blocking" {
  type Blocking = typeof import("@duckdb/duckdb-wasm/blocking");

  export const createDuckDB: Blocking["createDuckDB"];
  export const getPlatformFeatures: Blocking["getPlatformFeatures"];
  export const VoidLogger: Blocking["VoidLogger"];
  export const BROWSER_RUNTIME: Blocking["NODE_RUNTIME"];
}

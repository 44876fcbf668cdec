/** In tests, `virtual:shipped-files`: no file is shipped, and none of these addresses answers. @module */
export const parquetWasm = { path: "assets/parquet-test.wasm.z", bytes: 600_000 };
export const duckdbWasm = { path: "assets/duckdb-test.wasm.z", bytes: 5_000_000 };
export const world = { path: "assets/world-test.json", bytes: 100_000 };

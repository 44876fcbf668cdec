/** Replaces `virtual:shipped-files` in tests: no file is shipped, and no address answers. @module */
export const parquetWasm = { path: "assets/parquet-test.wasm.z", bytes: 600_000 };
export const duckdbWasm = { path: "assets/duckdb-test.wasm.z", bytes: 5_000_000 };
export const world = { path: "assets/world-test.json", bytes: 100_000 };
export const words_ar = { path: "assets/words-ar-test.json", bytes: 40_000 };
export const words_de = { path: "assets/words-de-test.json", bytes: 40_000 };
export const words_en = { path: "assets/words-en-test.json", bytes: 40_000 };
export const words_es = { path: "assets/words-es-test.json", bytes: 40_000 };
export const words_fr = { path: "assets/words-fr-test.json", bytes: 40_000 };
export const words_hi = { path: "assets/words-hi-test.json", bytes: 40_000 };
export const words_it = { path: "assets/words-it-test.json", bytes: 40_000 };
export const words_ja = { path: "assets/words-ja-test.json", bytes: 40_000 };
export const words_pt = { path: "assets/words-pt-test.json", bytes: 40_000 };
export const words_zh = { path: "assets/words-zh-test.json", bytes: 40_000 };

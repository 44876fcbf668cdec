import { describeDatabase } from "../../../engine/database.contract.ts";
import { describeMadeUpSearches, describeSampleSearches } from "../../../engine/search.contract.ts";
import { createWasmDatabase } from "../../../engine/testing/databases.ts";
import { decodeParquet } from "../../node/parquet.ts";

const contract = { executor: "sql", decode: decodeParquet, database: () => createWasmDatabase() } as const;
describeDatabase("DuckDB-WASM", () => createWasmDatabase());
describeMadeUpSearches("DuckDB-WASM", { ...contract, searches: 8 });
describeSampleSearches("DuckDB-WASM", { ...contract, searches: 60 });

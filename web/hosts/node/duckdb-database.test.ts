import { describeDatabase } from "../../engine/database.contract.ts";
import { describeMadeUpSearches, describeSampleSearches } from "../../engine/search.contract.ts";
import { createDuckdb } from "./duckdb-database.ts";
import { decodeParquet } from "./parquet.ts";

const contract = { executor: "sql", decode: decodeParquet, database: createDuckdb } as const;
describeDatabase("native DuckDB", createDuckdb);
describeMadeUpSearches("native DuckDB", { ...contract, searches: 8 });
describeSampleSearches("native DuckDB", { ...contract, searches: 300 });

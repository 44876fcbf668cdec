export { foundSql } from "./console-sql.ts";
export { CopyAs } from "./copy-as.tsx";
export { type DuckdbSearch, duckdbSearch, type Preventing } from "./duckdb-search.ts";

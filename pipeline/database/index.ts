export { countRows, type Database, type DescribedColumn, openDatabase } from "./database.ts";
export { defaultMemory, duckdbBytes, parseMemory, parsePackSize } from "./memory.ts";
export { quoteIdentifier, quoteLiteral, quotePath } from "./sql.ts";

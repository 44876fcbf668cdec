export {
  appendRow,
  countRows,
  type Database,
  type DescribedColumn,
  openDatabase,
  quoteIdentifier,
  quoteLiteral,
  quotePath,
} from "./database.ts";
export { defaultMemory, duckdbBytes, parseMemory, parsePackSize } from "./memory.ts";
export { functionName, sqlFunction } from "./sql-function.ts";

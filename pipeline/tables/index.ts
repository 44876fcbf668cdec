export { type TableOptions, type TableReport, writeOwnTable } from "./own-tables.ts";
export { TABLE_FILE } from "./stated-options.ts";

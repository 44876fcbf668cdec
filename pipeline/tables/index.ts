export { describeTable, type TableReport, writeOwnTable } from "./own-tables.ts";
export type { TableOptions } from "./table-options.ts";

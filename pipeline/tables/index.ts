export { type TableOptions, type TableReport, writeOwnTable } from "./own-tables.ts";

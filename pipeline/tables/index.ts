export { nameOf, type OwnTable, type TableOptions, type TableReport, writeOwnTable } from "./own-tables.ts";

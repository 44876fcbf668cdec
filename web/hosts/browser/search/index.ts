export { writeExport } from "./export.ts";
export { searchHandlers } from "./search-handlers.ts";

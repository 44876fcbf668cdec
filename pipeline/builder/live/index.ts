/** Sources at web addresses: a published spreadsheet, or the export of a data portal. @module */
export { fetchSource, isLiveSource } from "./fetch-source.ts";

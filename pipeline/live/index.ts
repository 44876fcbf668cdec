/** Sources at web addresses: a published spreadsheet, or the export of a data portal. @module */
export { type FetchedSource, fetchSource, isLiveSource, type LiveOptions } from "./fetch-source.ts";

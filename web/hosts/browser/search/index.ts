export { findMatchAt, findMatches } from "./matches.ts";
export { searchHandlers } from "./search-handlers.ts";

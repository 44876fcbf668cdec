/** Statistics of all rows of a search. @module */
export { countTable, statisticsTable } from "./statistics.ts";

/** Values of one column in all matches of a search. @module */
export { histogramOf } from "./histogram.ts";

export { countTable } from "./count-table.ts";
export { statisticsTable } from "./statistics-table.ts";

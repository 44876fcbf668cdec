export { makeDictionary } from "./dictionary.ts";
export { fitGroups } from "./fit-groups.ts";
export { makeStretches, type RowRecord } from "./make-stretches.ts";
export { parseRow, rowHashSql, rowJsonSql } from "./record-json.ts";
export { shortest } from "./stored-geometry.ts";

export { makeDictionary } from "./dictionary.ts";
export { fitGroups } from "./fit-groups.ts";
export { type MadeStretch, makeStretches, type RowRecord } from "./make-stretches.ts";
export { type JsonObject, parseRow, rowJsonSql } from "./record-json.ts";
export { shortest, twkbFunction } from "./twkb-function.ts";

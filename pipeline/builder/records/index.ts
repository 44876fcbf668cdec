export { createChunks, type MadeChunk, type RowRecord, unionOfBoxes } from "./chunks.ts";
export { makeDictionary } from "./fit-groups.ts";
export { parseRow, recordJson, rowHashSql, rowJsonSql } from "./record-json.ts";
export { shortest, storedGeometry } from "./stored-geometry.ts";

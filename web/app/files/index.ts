export { DropZone } from "./drop-zone.tsx";
export { entriesOf } from "./entries.ts";
export { distancesOf, joinedRows } from "./joined-rows.ts";
export * from "./own-files.ts";

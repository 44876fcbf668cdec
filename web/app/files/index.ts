export { DropZone } from "./drop-zone.tsx";
export { joinedRows, linesOfPage } from "./joined-rows.ts";
export * from "./own-files.ts";

export { type BuildReport, buildDataset } from "./build.ts";
export { parseColumnTables } from "./column-tables.ts";
export type { BuildProgress, StageReport } from "./task-counter.ts";

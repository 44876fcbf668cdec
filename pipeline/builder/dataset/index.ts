export { type BuildReport, buildDataset } from "./build.ts";
export type { BuildProgress, StageReport } from "./task-counter.ts";

export { type DiffLine, diffDatasets, type FileCount } from "./diff.ts";

export { type Amount, type DiffLine, diffDatasets } from "./diff.ts";

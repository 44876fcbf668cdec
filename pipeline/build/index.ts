export { type BuildProgress, buildDataset } from "./build.ts";

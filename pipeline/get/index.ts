export type { Extract } from "./extract-folder.ts";
export type { FetchProgress } from "./fetch-extract.ts";
export { getExtract } from "./get-extract.ts";
export { parsePlace } from "./mirror.ts";
export type { ExtractPlan } from "./plan.ts";

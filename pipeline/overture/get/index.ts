export type { ExtractPlan } from "../../../data/release/index.ts";
export { datasetSize } from "./dataset-size.ts";
export { parseMirror } from "./disk-remote.ts";
export { type Extract, readExtract } from "./extract-folder.ts";
export { getExtract } from "./get-extract.ts";

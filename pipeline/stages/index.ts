export type { DeriveFacts } from "./derive.ts";
export { type LooseStretch, readNumbering, readStretches } from "./numbered-rows.ts";
export {
  copiedPath,
  isNamedByContent,
  type MadeDatasetFile,
  type PlaceOptions,
  placeFiles,
  publishShare,
} from "./publish.ts";
export type { ReduceFacts } from "./reduce.ts";
export { listSql, losersPath, type PartFacts, partOfFileSql } from "./row-files.ts";
export { runTask } from "./run-task.ts";
export { REJECTS_FILE, readCountries, type ScanFacts } from "./scan.ts";
export type { SurveyFacts } from "./survey.ts";
export type { TermsFacts } from "./terms.ts";

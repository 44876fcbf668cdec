export type { IndexedRun, IndexFacts } from "./index-pages.ts";
export {
  copiedPath,
  isNamedByContent,
  type MadeDatasetFile,
  type PlaceOptions,
  placeFiles,
  publishShare,
} from "./publish.ts";
export { listSql, losersPath, type PartFacts, partOfFileSql } from "./row-files.ts";
export { runTask } from "./run-task.ts";
export { REJECTS_FILE, readCountries, type ScanFacts } from "./scan.ts";
export type { SurveyFacts } from "./survey.ts";

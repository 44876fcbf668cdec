export type { IndexedRun, IndexFacts } from "./index-pages.ts";
export {
  copiedPath,
  isNamedByContent,
  type MadeDatasetFile,
  type PublishOptions,
  publishFiles,
  publishShare,
} from "./publish.ts";
export { duplicatesPath, listSql, type PartFacts, partOfFileSql } from "./row-files.ts";
export { runTask } from "./run-task.ts";
export { REJECTS_FILE, readCountries, type ScanFacts } from "./scan.ts";
export type { SurveyFacts } from "./survey.ts";

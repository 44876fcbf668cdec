export { type KeepReport, keepRelease } from "./keep-release.ts";
export { type OpenRelease, openRelease } from "./open-release.ts";
export {
  CHANGE_FORMATS,
  CHANGES,
  type ChangeCounts,
  type ChangeFormat,
  type ChangesReport,
  changesFile,
  writeChanges,
} from "./write-changes.ts";

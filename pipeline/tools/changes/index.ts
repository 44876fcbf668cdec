export { type KeepReport, keepPrevious, keepRelease, openRelease } from "./keep-release.ts";
export { changesFile, writeChanges } from "./write-changes.ts";

export { type KeepReport, keepPrevious, keepRelease, openRelease } from "./keep-release.ts";
export { writeChanges } from "./write-changes.ts";

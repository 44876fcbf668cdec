export { type KeepReport, keepPrevious, keepRelease } from "./keep-release.ts";
export { openRelease } from "./open-release.ts";
export { writeChanges } from "./write-changes.ts";

/**
 * Changes in an area since an older release.
 * @module
 */
export { CHANGES_PATH, parseChanges } from "./changes-path.ts";
export { type FoundChanges, runChanges } from "./run-changes.ts";

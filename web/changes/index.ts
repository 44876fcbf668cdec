/**
 * What changed in a place since an older release.
 * @module
 */
export { CHANGES_PATH, type ChangesSearch, parseChanges } from "./changes-path.ts";
export { type Change, type ChangedRecord, type FoundChanges, runChanges } from "./run-changes.ts";

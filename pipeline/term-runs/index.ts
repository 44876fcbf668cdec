export { type DerivedRun, derivedRuns } from "./derived-runs.ts";
export { recordSql, stagedSql } from "./staged-rows.ts";
export { rowTerms, termColumns, termsSql, WORLDWIDE } from "./term-postings.ts";
export { makeTermPartitions } from "./term-run.ts";

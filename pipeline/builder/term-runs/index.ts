export { createCellCounter } from "./cell-run.ts";
export { bucketCountsSql, countSlices } from "./counts.ts";
export { derivedRuns } from "./derived-runs.ts";
export { type LookupFile, lookupKeySql, lookupShares, lookupSlices, packLookups } from "./lookups.ts";
export { type FileSection, mergeSections } from "./read-sections.ts";
export { suggestSlices } from "./suggest-run.ts";
export { createTermCollector, type TermCollector, type TermSection } from "./term-collector.ts";
export type { TermList } from "./term-lists.ts";
export { type CountryTerms, type DerivedSlices, termSlices } from "./term-run.ts";

export { derivedRuns } from "./derived-runs.ts";
export { mergeSections, type PlacedSection } from "./read-sections.ts";
export { createTermCollector, type TermCollector, type TermSection } from "./term-collector.ts";
export type { TermList } from "./term-lists.ts";
export { type CountryTerms, termSlices } from "./term-run.ts";

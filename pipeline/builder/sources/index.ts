export { readAttributions } from "./attribution.ts";
export { type MeasuredSource, measureSources, type TypedSource, typeSources } from "./measure-sources.ts";
export { openSource } from "./open-source.ts";
export { reachSources } from "./remote-sources.ts";
export { castColumns, type Fault, type NormalisedSource, REJECTS_TABLE, type TypedColumn } from "./schema.ts";
export {
  findSources,
  type PlannedSource,
  releaseOfExtracts,
  type SourceFile,
} from "./sources.ts";

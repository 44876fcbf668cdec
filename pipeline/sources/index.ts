export { type Citation, mergeAttribution, readAttributions, readCitations } from "./attribution.ts";
export { type MeasuredSource, measureSources, type TypedSource, typeSources } from "./measure-sources.ts";
export { openSource } from "./open-source.ts";
export { reachSources } from "./remote-sources.ts";
export { castColumns, type Fault, type NormalisedSource, REJECTS_TABLE, type TypedColumn } from "./schema.ts";
export {
  type AreaFile,
  ATTRIBUTION_FILE,
  EXTRACT_FILE,
  findSources,
  type PlannedSource,
  releaseOfExtracts,
  type SourceFile,
  UNDER_WAY_FOLDER,
} from "./sources.ts";

/**
 * The engine: searches over a static dataset. Portable: hosts give it bytes, a Parquet decoder and a database.
 * @module
 */
export { type Dataset, type DatasetOptions, openDataset } from "./dataset.ts";
export { DecodeError, EngineError, FetchError, ManifestError, QueryError } from "./errors.ts";
export { nextTask } from "./in-turn.ts";
export { type Region, regionOf } from "./plan/region.ts";
export type { ByteSource, Database, DecodeParquet, ReadOptions, SqlValue } from "./ports.ts";
export type {
  Circle,
  Feature,
  FeatureJsonOptions,
  FileUse,
  Filters,
  Group,
  Grouping,
  Json,
  Members,
  PropertyChoice,
  Query,
  SearchReport,
  SearchResult,
} from "./query.ts";
export { Utf8Writer } from "./records/utf8-writer.ts";
export { createMemo, type Memo } from "./release/memo.ts";
export type { Near } from "./release/prefetch-index.ts";
export type { SuggestQuery } from "./suggest/suggest.ts";
export type { Suggestion } from "./suggest/suggestion.ts";

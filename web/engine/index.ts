/**
 * The engine: searches over a static dataset. Portable: hosts give it bytes, a Parquet decoder and a database.
 * @module
 */
export { type Dataset, type DatasetOptions, openDataset } from "./dataset.ts";
export { DecodeError, EngineError, FetchError, ManifestError, QueryError } from "./errors.ts";
export { nextTask } from "./in-turn.ts";
export { createMemo, type Memo } from "./memo.ts";
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
  Query,
  SearchReport,
  SearchResult,
} from "./query.ts";
export type { SuggestQuery } from "./suggest.ts";
export type { Suggestion } from "./suggestion.ts";
export { Utf8Writer } from "./utf8-writer.ts";

/**
 * The engine: searches over a static dataset. Portable: hosts give it bytes, a Parquet decoder and a database.
 * @module
 */

export { Utf8Writer } from "./arrow/utf8-writer.ts";
export { DecodeError, EngineError, FetchError, ManifestError, QueryError } from "./contract/errors.ts";
export type { ByteSource, Database, DecodeParquet, ReadOptions, SqlValue } from "./contract/ports.ts";
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
} from "./contract/query.ts";
export { type Dataset, type DatasetOptions, openDataset } from "./dataset.ts";
export type { Near } from "./index-tree/prefetch-index.ts";
export { type Region, regionOf } from "./plan/region.ts";
export type { SuggestQuery } from "./suggest/suggest.ts";
export type { Suggestion } from "./suggest/suggestion.ts";
export { nextTask } from "./tasks/in-turn.ts";
export { createMemo, type Memo } from "./tasks/memo.ts";

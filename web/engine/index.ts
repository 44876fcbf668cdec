/**
 * The engine: searches over a static dataset. Hosts provide bytes and a Parquet decoder. Terms of this folder: a *run* is one
 * kind of stored data in one order, a *slice* or *partition* a range of bytes with some of its rows, a *node* the entry of a
 * slice in the index, a *page* a part of the index. @module
 */
export { Utf8Writer } from "./arrow/utf8-writer.ts";
export {
  CountLimitError,
  DecodeError,
  EngineError,
  FetchError,
  ManifestError,
  QueryError,
  ReleaseError,
  TooManyRowsError,
} from "./contract/errors.ts";
export type { ByteRange, ByteSource, DecodeParquet, ReadOptions, StoredTableRow } from "./contract/ports.ts";
export type {
  BoxQuery,
  BoxResult,
  Circle,
  ColumnTest,
  CountedGroup,
  CountGroup,
  CountQuery,
  CountResult,
  Countries,
  FacetCount,
  Feature,
  FeatureJsonOptions,
  FileUse,
  Filters,
  Group,
  Grouping,
  GroupResult,
  Json,
  LocatedRows,
  Members,
  Order,
  PropertyChoice,
  Query,
  ReadableRows,
  RowsTest,
  SearchReport,
  SearchResult,
  Shape,
  ShapeQuery,
} from "./contract/query.ts";
export {
  BOX_MEMBERS,
  type BoxMember,
  COMPARISONS,
  type Comparison,
  EVERY_ROW,
  type ListedPartition,
  type PartitionList,
  type RowCondition,
  type WantedRows,
} from "./contract/row-condition.ts";
export {
  type Dataset,
  type DatasetOptions,
  type FindOptions,
  openDataset,
  type ReleaseOptions,
  type TableAnswer,
} from "./dataset.ts";
export { type AreaSelection, type AreaShape, bytesOfNames, listAreaFiles } from "./index-tree/area-files.ts";
export { type IndexPage, readSlice, type SliceEntry } from "./index-tree/files.ts";
export type { Near } from "./index-tree/prefetch-index.ts";
export type { RowBox } from "./index-tree/row-boxes.ts";
export { readIndex } from "./index-tree/tree.ts";
export { preparedRegionOf, type Region, regionOf } from "./plan/region.ts";
export { type JoinedRange, joinNeighbours, REQUEST_BYTES } from "./store/join-ranges.ts";
export { MAX_DECODED_BYTES, readParquetSize } from "./store/parquet-size.ts";
export { facetReader } from "./store/row-terms.ts";
export type { RowRef, Rows, StoredColumn } from "./store/rows.ts";
export type { CategoryWords } from "./suggest/category-names.ts";
export type { IntentWords } from "./suggest/intents.ts";
export type { SuggestQuery } from "./suggest/suggest.ts";
export type { HeldCircle } from "./suggest/suggest-held.ts";
export type { Suggestion } from "./suggest/suggestion.ts";
export { tablePlanner } from "./table/read-table.ts";
export type { TableQuery } from "./table/wanted.ts";
export { eachInTurn, nextTask, workAtOnce } from "./tasks/in-turn.ts";
export { createMemo, type Memo } from "./tasks/memo.ts";

export {
  AREAS_CHANNEL,
  type Area,
  type AreaCalls,
  type AreaChoice,
  type AreaOverview,
  type AreaSize,
  type ImportResult,
  type PackCalls,
  type SaveProgress,
  type SaveResult,
} from "./area-calls.ts";
export type { ConsoleProgress, ConsoleResult, ConsoleTable, FileTable } from "./console-calls.ts";
export {
  type ConsoleCalls,
  MOST_COUNTED_ROWS,
  MOST_DRAWN_ROWS,
  MOST_KEPT_ROWS,
  MOST_SHOWN_ROWS,
  MOST_STATEMENT_BYTES,
  MOST_STATEMENT_ROWS,
  MOST_UNASKED_BYTES,
} from "./console-calls.ts";
export type {
  ExportArgument,
  ExportedRows,
  ExportProgress,
  ExportResult,
  SourceCount,
  SourceCounts,
} from "./export-calls.ts";
export {
  type AddedFile,
  type ColumnUse,
  FILES_CHANNEL,
  type FileAnswer,
  type FileCalls,
  type FileFault,
  type FileMatch,
  type JoinedRow,
  type JoinedRows,
  type JoinQuestion,
  type KeepResult,
  type KeptFile,
  MOST_FILE_BYTES,
  MOST_FILE_ROWS,
  MOST_JOINED,
  MOST_LISTED,
  type OwnFile,
} from "./file-calls.ts";
export {
  MOST_RELEASE_BYTES,
  MOST_RELEASE_ROWS,
  MOST_RELEASE_SQUARE_KM,
  type OvertureCalls,
  type ReleaseProgress,
  type ReleaseQuestion,
  type ReleaseRows,
  type ReleaseSize,
} from "./overture-calls.ts";
export type { DatasetSummary, HostAnswer, HostNews, PartNews, Remote, TileAddress, WorkerNews } from "./protocol.ts";
export { callRemote, callWorker, isUnanswered, type RemoteHandlers, serveRemote } from "./remote.ts";
export type {
  AnswerReport,
  ChangesAnswer,
  FoundChanges,
  Origin,
  Reversed,
  SearchArgument,
  SearchCalls,
} from "./search-calls.ts";
export { controlledBy, namedDataset, serviceWorkerAddress } from "./service-worker-address.ts";
export {
  CONFIDENCE_STEPS,
  FACETS,
  type Facet,
  type FacetCounts,
  MOST_LISTED_VALUES,
  type Statistics,
  type StatisticsCalls,
} from "./statistics-calls.ts";
export { collectionsAt, LOCAL_MAX_ZOOM, LOCAL_MIN_ZOOM, WORLD_MAX_ZOOM } from "./zooms.ts";

/** What the page may ask about SQL of the reader's own: the first two of its worker, the others of a worker for the console. @module */
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";
import type { ListedPartition, PartitionList, WantedRows } from "../../../engine/index.ts";

export interface ConsoleTable {
  readonly name: string;
  /** Of the reader's own tables. */
  readonly rows?: number;
  readonly columns: readonly { readonly name: string /** As DuckDB spells it. */; readonly type: string }[];
}

/** Rows that are shown, those that are drawn, and those up to which a longer result is counted. */
export const MOST_SHOWN_ROWS = 200;
export const MOST_DRAWN_ROWS = 10_000;
export const MOST_COUNTED_ROWS = 1_000_000;
export const MOST_KEPT_ROWS = 100_000;

/** More bytes of partitions are read for a statement only when the reader says so. */
export const MOST_UNASKED_BYTES = 10_000_000;

export interface ConsoleResult {
  readonly columns: readonly string[];
  /** The first rows: a text for each value, null where there is none. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly totalRows: number;
  readonly hasMore: boolean;
  /** Column whose geometries are in `body`, or the two of longitude and latitude; left out when there are none. */
  readonly drawnColumn?: string;
  /** Geometries of the first rows, to be drawn. It travels in slices. */
  readonly body: readonly Geometry[];
  readonly milliseconds: number;
}

/** A table of one of the reader's own files. */
export interface FileTable {
  readonly name: string;
  /** The file's id: another file may come to have the same name. */
  readonly id: string;
}

/** Megabytes of DuckDB as they come. */
export interface ConsoleProgress {
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

export interface ConsoleCalls {
  consolePartitions: { argument: readonly WantedRows[]; value: PartitionList };
  /** The rows of a partition as an Arrow stream. */
  consoleRows: { argument: ListedPartition; value: ArrayBuffer };
  /** Starts a database of its own, with no way out. `base` is the page's folder. */
  startConsole: { argument: string; value: undefined; progress: ConsoleProgress };
  openTables: { argument: readonly CollectionName[]; value: undefined };
  /** Drops the tables of other files than these, and tells which of these are not there. A table that the reader made is not touched. */
  missingFiles: { argument: readonly FileTable[]; value: readonly FileTable[] };
  fillFile: { argument: { readonly table: FileTable; readonly stream: ArrayBuffer }; value: undefined };
  /** Makes `found` a view of this SELECT; undefined for none. */
  nameFound: { argument: string | undefined; value: undefined };
  consoleTables: { argument: undefined; value: readonly ConsoleTable[] };
  splitConsole: { argument: string; value: readonly string[] };
  /** The rows that a statement can ask for; asked after those before it have run. Throws `QueryError` with DuckDB's own words. */
  consoleNeeds: { argument: string; value: readonly WantedRows[] };
  /** The partitions whose rows are not in the tables. Makes room for them. */
  missingPartitions: { argument: PartitionList; value: readonly ListedPartition[] };
  fillConsole: { argument: { readonly partition: ListedPartition; readonly stream: ArrayBuffer }; value: undefined };
  /** Runs one statement. Throws `QueryError` with DuckDB's own words. */
  runConsole: { argument: string; value: ConsoleResult };
  consoleCsv: { argument: undefined; value: ArrayBuffer };
}

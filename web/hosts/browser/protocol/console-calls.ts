/**
 * Calls for SQL typed by the user. The search worker answers the first two of `ConsoleCalls`, the console worker all others.
 * @module
 */
import type { Collection, CollectionName } from "../../../../data/format/collections.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";
import type { HasCollections } from "../../../../data/format/own-collections.ts";
import type { Feature, ListedPartition, PartitionList, WantedRows } from "../../../engine/index.ts";
import type { Credit, FormatName, SearchPath } from "../../../search/index.ts";

export interface ConsoleTable {
  readonly name: string;
  /** Number of rows. Only of tables that the user made. */
  readonly rows?: number;
  readonly columns: readonly { readonly name: string /** In DuckDB's spelling. */; readonly type: string }[];
}

/** Maximum numbers of rows of a result: shown, drawn on the map, counted, and kept for CSV and exports. */
export const MOST_SHOWN_ROWS = 200;
export const MOST_DRAWN_ROWS = 10_000;
export const MOST_COUNTED_ROWS = 1_000_000;
export const MOST_KEPT_ROWS = 100_000;

/** A statement that reads more bytes needs a confirmation by the user. */
export const MOST_UNASKED_BYTES = 10_000_000;

export interface ConsoleResult {
  readonly columns: readonly string[];
  /** The first rows: a text for each value, null for a missing one. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly totalRows: number;
  readonly hasMore: boolean;
  /** Name of the column from which `body` comes, or of the two of longitude and latitude. Undefined without geometries. */
  readonly drawnColumn?: string;
  /** Geometries of the first rows, to draw them. Sent in several messages. */
  readonly body: readonly Geometry[];
  readonly milliseconds: number;
}

export interface FileTable {
  readonly name: string;
  /** Id of the file: another file may later get the same table name. */
  readonly id: string;
}

export interface ConsoleProgress {
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

/** Name of the column with the distance of a row, in metres. */
export const DUCKDB_DISTANCE = "ext_distance";

/** A search as SQL over the tables of the console. */
export interface DuckdbStatements {
  readonly count: string;
  /** SQL that returns the rows of the page. */
  readonly rows: string;
  /** The collection that the SQL reads, if it is only one. Otherwise a column `collection` names it for each row. */
  readonly only: CollectionName | undefined;
  readonly dataset: HasCollections;
}

export interface DuckdbAnswer {
  readonly total: number;
  /** The records of the page. Sent in several messages. */
  readonly body: readonly Feature[];
  readonly milliseconds: number;
}

export interface DuckdbExport {
  /** SQL that returns all rows. */
  readonly sql: string;
  readonly only: CollectionName | undefined;
  readonly path: SearchPath;
  readonly format: FormatName;
  readonly credit: Credit & HasCollections;
}

/** The name and the columns of a collection, for a table. */
export type TableSchema = Pick<Collection, "name" | "columns">;

export interface ConsoleCalls {
  consolePartitions: { argument: readonly WantedRows[]; value: PartitionList };
  /** Returns the rows of a partition as an Arrow stream. */
  consoleRows: { argument: ListedPartition; value: ArrayBuffer };
  /** Starts the console's database, and removes network access from its worker. `base` is the folder of the page. */
  startConsole: { argument: string; value: undefined; progress: ConsoleProgress };
  openTables: { argument: readonly TableSchema[]; value: undefined };
  /**
   * Drops tables of files that are not in the list. Returns those of the list that are not loaded. Tables that the user made
   * stay.
   */
  missingFiles: { argument: readonly FileTable[]; value: readonly FileTable[] };
  fillFile: { argument: { readonly table: FileTable; readonly stream: ArrayBuffer }; value: undefined };
  /** Makes `found` a view of this SELECT; without a SELECT, removes the view. */
  nameFound: { argument: string | undefined; value: undefined };
  consoleTables: { argument: undefined; value: readonly ConsoleTable[] };
  splitConsole: { argument: string; value: readonly string[] };
  /**
   * Returns which rows a statement may need. All statements before it must have run. Rejects with `QueryError`, which has
   * DuckDB's message.
   */
  consoleNeeds: { argument: string; value: readonly WantedRows[] };
  /** Returns those of the partitions that are not loaded, and frees memory for them. */
  missingPartitions: { argument: PartitionList; value: readonly ListedPartition[] };
  fillConsole: { argument: { readonly partition: ListedPartition; readonly stream: ArrayBuffer }; value: undefined };
  /** Runs one statement. Rejects with `QueryError`, which has DuckDB's message. */
  runConsole: { argument: string; value: ConsoleResult };
  /** Runs a search whose partitions are loaded. Rejects with `QueryError`, which has DuckDB's message. */
  duckdbSearch: { argument: DuckdbStatements; value: DuckdbAnswer };
  /** Returns all rows of a search as a file. */
  duckdbExport: { argument: DuckdbExport; value: ArrayBuffer };
  consoleCsv: { argument: undefined; value: ArrayBuffer };
}

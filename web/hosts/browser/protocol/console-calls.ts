/** Calls for SQL typed by the user. The search worker answers the first two, the console worker the others. @module */
import type { Collection, CollectionName } from "../../../../data/format/collections.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";
import type { HasCollections } from "../../../../data/format/own-collections.ts";
import type { Feature, ListedPartition, PartitionList, WantedRows } from "../../../engine/index.ts";
import type { Credit, FormatName, SearchPath } from "../../../search/index.ts";

export interface ConsoleTable {
  readonly name: string;
  /** Only for tables made by the user. */
  readonly rows?: number;
  readonly columns: readonly { readonly name: string /** In DuckDB's spelling. */; readonly type: string }[];
}

/** Limits on the rows shown, on the rows drawn, and on the rows counted of a longer result. */
export const MOST_SHOWN_ROWS = 200;
export const MOST_DRAWN_ROWS = 10_000;
export const MOST_COUNTED_ROWS = 1_000_000;
export const MOST_KEPT_ROWS = 100_000;

/** Above this number of bytes a statement needs a confirmation. */
export const MOST_UNASKED_BYTES = 10_000_000;

export interface ConsoleResult {
  readonly columns: readonly string[];
  /** The first rows: a text per value, null for a missing one. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly totalRows: number;
  readonly hasMore: boolean;
  /** The column of the geometries in `body`, or the two of longitude and latitude. Left out without geometries. */
  readonly drawnColumn?: string;
  /** Geometries of the first rows, to draw. Sent in slices. */
  readonly body: readonly Geometry[];
  readonly milliseconds: number;
}

export interface FileTable {
  readonly name: string;
  /** Identifies the file: another file may later get the same name. */
  readonly id: string;
}

export interface ConsoleProgress {
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

/** The column with the distance of a row of a search. */
export const DUCKDB_DISTANCE = "ext_distance";

/** A search as statements over the tables of the console. */
export interface DuckdbStatements {
  readonly count: string;
  /** Returns the page. */
  readonly rows: string;
  /** The collection that it reads, if it is one. Rows of several have their name in the column `collection`. */
  readonly only: CollectionName | undefined;
  readonly dataset: HasCollections;
}

export interface DuckdbAnswer {
  readonly total: number;
  /** The records of the page. Sent in slices. */
  readonly body: readonly Feature[];
  readonly milliseconds: number;
}

export interface DuckdbExport {
  /** Returns all rows. */
  readonly sql: string;
  readonly only: CollectionName | undefined;
  readonly path: SearchPath;
  readonly format: FormatName;
  readonly credit: Credit & HasCollections;
}

/** A collection as a table. */
export type TableSchema = Pick<Collection, "name" | "columns">;

export interface ConsoleCalls {
  consolePartitions: { argument: readonly WantedRows[]; value: PartitionList };
  /** The rows of a partition as an Arrow stream. */
  consoleRows: { argument: ListedPartition; value: ArrayBuffer };
  /** Starts a separate database without network access. `base` is the folder of the page. */
  startConsole: { argument: string; value: undefined; progress: ConsoleProgress };
  openTables: { argument: readonly TableSchema[]; value: undefined };
  /**
   * Drops the tables of other files and returns the tables that are not loaded. A table made by the user is not
   * touched.
   */
  missingFiles: { argument: readonly FileTable[]; value: readonly FileTable[] };
  fillFile: { argument: { readonly table: FileTable; readonly stream: ArrayBuffer }; value: undefined };
  /** Makes `found` a view of this SELECT; undefined removes it. */
  nameFound: { argument: string | undefined; value: undefined };
  consoleTables: { argument: undefined; value: readonly ConsoleTable[] };
  splitConsole: { argument: string; value: readonly string[] };
  /**
   * Returns the rows that a statement can need. Call it after the statements before it have run. Throws `QueryError`
   * with the message of DuckDB.
   */
  consoleNeeds: { argument: string; value: readonly WantedRows[] };
  /** Returns the partitions that are not loaded, and frees memory for them. */
  missingPartitions: { argument: PartitionList; value: readonly ListedPartition[] };
  fillConsole: { argument: { readonly partition: ListedPartition; readonly stream: ArrayBuffer }; value: undefined };
  /** Runs one statement. Throws `QueryError` with the message of DuckDB. */
  runConsole: { argument: string; value: ConsoleResult };
  /** Runs a search, after its partitions were filled in. Throws `QueryError` with the message of DuckDB. */
  duckdbSearch: { argument: DuckdbStatements; value: DuckdbAnswer };
  /** All rows of the search as a file. */
  duckdbExport: { argument: DuckdbExport; value: ArrayBuffer };
  consoleCsv: { argument: undefined; value: ArrayBuffer };
}

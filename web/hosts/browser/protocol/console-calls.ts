/**
 * What the page may ask about SQL of the reader's own: the first two of its worker, the others of a worker for the console.
 * @module
 */
import type { CollectionName } from "../../../../data/format/collections.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";

/** Rows of a collection in memory. */
export interface LoadedCollection {
  readonly collection: CollectionName;
  /** Changes when other rows are in memory. */
  readonly stamp: string;
}

/** A table of the console's database. */
export interface ConsoleTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly { readonly name: string /** As DuckDB spells it. */; readonly type: string }[];
}

/** Rows that are shown, those that are drawn, and those up to which a longer result is counted. */
export const MOST_SHOWN_ROWS = 200;
export const MOST_DRAWN_ROWS = 10_000;
export const MOST_COUNTED_ROWS = 1_000_000;

/** What a statement gave; of several, the last. */
export interface ConsoleResult {
  readonly columns: readonly string[];
  /** The first rows: a text for each value, null where there is none. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly totalRows: number;
  /** Whether there are more than were counted. */
  readonly hasMore: boolean;
  /** Column whose geometries are in `body`, or the two of longitude and latitude; left out when there are none. */
  readonly drawnColumn?: string;
  /** Geometries of the first rows, to be drawn. It travels in slices. */
  readonly body: readonly Geometry[];
  readonly milliseconds: number;
}

/** Megabytes of DuckDB as they come. */
export interface ConsoleProgress {
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

export interface ConsoleCalls {
  loadedRows: { argument: undefined; value: readonly LoadedCollection[] };
  /** The rows as an Arrow stream. */
  loadedTable: { argument: CollectionName; value: ArrayBuffer };
  /** Starts a database of its own, with no way out. `base` is the page's folder. */
  startConsole: { argument: string; value: undefined; progress: ConsoleProgress };
  /** Makes rows the table of this name, in place of what it was. */
  fillConsole: { argument: { readonly name: string; readonly stream: ArrayBuffer }; value: undefined };
  consoleTables: { argument: undefined; value: readonly ConsoleTable[] };
  /** Runs SQL. Throws `QueryError` with DuckDB's own words. */
  runConsole: { argument: string; value: ConsoleResult };
}

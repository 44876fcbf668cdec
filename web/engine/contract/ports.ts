/**
 * What the engine asks of its host. Hosts give adapters; the engine knows none of them.
 * @module
 */
import type { Table } from "apache-arrow";

/** Bytes of a file. Half-open. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ReadOptions {
  /** Which bytes are wanted; the whole file when left out. */
  readonly range?: ByteRange | undefined;
  /** SHA-256 of the range in hexadecimal, where the caller knows it. */
  readonly sha256?: string | undefined;
  /** The slice that holds the range, where that is a part of one: who keeps the slice has the range, under whatever name. */
  readonly within?: { readonly offset: number; readonly bytes: number; readonly sha256: string } | undefined;
  /** Whether bytes are those that were expected; what is not is kept by no cache. */
  readonly isSound?: ((bytes: Uint8Array) => Promise<boolean>) | undefined;
  /** Length the whole file must have, where the caller knows it. */
  readonly bytes?: number;
  /** Most bytes it may have, where the caller does not. */
  readonly maxBytes?: number;
  /** Whether caches must be asked to revalidate: true for the manifest alone. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Files of one dataset, whole or in ranges, by their path below its folder. */
export interface ByteSource {
  /** Where the files come from, for messages: a folder or a URL. */
  readonly name: string;
  /** The whole file, or the range of it; of a file that is longer than it may be, little more than that. Throws `FetchError` when it cannot be had; the platform's `AbortError` when aborted. */
  read(path: string, options?: ReadOptions): Promise<Uint8Array>;
  /** What one of several requests at once costs, as bytes that travel in its time; little when left out. */
  requestBytes?(): number;
}

/** Turns the bytes of a Parquet file into an Arrow table of one record batch. A host may load its reader when first asked. */
export type DecodeParquet = (bytes: Uint8Array) => Table | Promise<Table>;

/** One value bound to a `?` of a statement. */
export type SqlValue = string | number | boolean | null;

/** A SQL database with tables made from Arrow. Statements run one after the other. */
export interface Database {
  /** Makes the rows a table of this name. */
  insert(name: string, table: Table): Promise<void>;
  /** Drops a table made by `insert`. */
  drop(name: string): Promise<void>;
  /** Runs one statement; values bind to its `?` in order. Throws `QueryError`. */
  query(sql: string, values?: readonly SqlValue[]): Promise<Table>;
}

/**
 * The interfaces that hosts implement for the engine. The engine imports no host.
 * @module
 */
import type { Table } from "apache-arrow";
import type { TableFile } from "../../../data/format/table-reads.ts";
import type { Json } from "./query.ts";

/** Bytes of a file. `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ReadOptions {
  /** The requested bytes; default: the whole file. */
  readonly range?: ByteRange | undefined;
  /** SHA-256 of the range in hexadecimal, if the caller knows it. */
  readonly sha256?: string | undefined;
  /** The slice that contains the range, if there is one. A cache that has the slice also has the range, whatever its path. */
  readonly within?: { readonly offset: number; readonly bytes: number; readonly sha256: string } | undefined;
  /** Tests whether bytes are the expected ones. Caches must not store other bytes. */
  readonly isSound?: ((bytes: Uint8Array) => Promise<boolean>) | undefined;
  /** Length that the whole file must have, if the caller knows it. */
  readonly bytes?: number;
  /** Maximum length, if the caller does not know the length. */
  readonly maxBytes?: number;
  /** Other ranges of the file may be read together with this one if the gap has at most this many bytes. Default: `requestBytes`. */
  readonly gapBytes?: number | undefined;
  /** Whether caches must ask the host again: for files that can change, such as the current manifest, and after wrong bytes. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Files of one dataset, whole or in ranges, by path below its folder. */
export interface ByteSource {
  /** A folder or URL, for messages. */
  readonly name: string;
  /**
   * Reads a file or a range of it. Stops soon after the limit if a file is too long. Throws `FetchError` on failure, and the
   * platform's `AbortError` when aborted.
   */
  read(path: string, options?: ReadOptions): Promise<Uint8Array>;
  /** The cost of one of several parallel requests, as bytes that are transferred in the same time; `REQUEST_BYTES` when left out. */
  requestBytes?(): number;
}

/** Decodes a Parquet file into an Arrow table of one record batch. A host may load its reader on first use. */
export type DecodeParquet = (bytes: Uint8Array) => Table | Promise<Table>;

/** Opens a file of a column table by its footer. Throws if the footer is damaged. */
export type OpenTableFile = (footer: Uint8Array, fileBytes: number) => TableFile;

/** A row of a column table: texts, the geometry as WKB, and the other columns as JSON values. */
export type StoredTableRow = Readonly<Record<string, Json | Uint8Array>>;

/** Decodes a Parquet file of a column table into rows, without WebAssembly. */
export type DecodeTableRows = (bytes: Uint8Array) => Promise<readonly StoredTableRow[]>;

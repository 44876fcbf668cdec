import type { Feature } from "../../../engine/index.ts";
import type { FormatName } from "../../../search/index.ts";
import type { JoinedRow } from "./file-calls.ts";
import type { SearchArgument } from "./search-calls.ts";

export interface ExportArgument extends SearchArgument {
  /** Writes these records instead of those that the search finds. */
  readonly records?: readonly Feature[] | undefined;
  /** Headers of columns of CSV, by name. Other columns get their name in words. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly format: FormatName;
  /** Rows of the user's files written after the records: all matches, or these. */
  readonly rows?: "all" | readonly JoinedRow[] | undefined;
  /** The file to write. Without it the export is returned as a blob. */
  readonly file?: FileSystemFileHandle | undefined;
}

/** Rows of files as features, with their columns and file names. */
export interface ExportedRows {
  readonly features: readonly Feature[];
  /** Names of their properties, except those that hold the position. */
  readonly columns: readonly string[];
  readonly files: readonly string[];
}

export interface ExportProgress {
  readonly records: number;
  readonly total: number;
  readonly bytes: number;
}

export interface SourceCount {
  readonly dataset: string;
  readonly license: string | undefined;
  readonly records: number;
}

export interface SourceCounts {
  readonly sources: readonly SourceCount[];
  readonly unnamed: number;
}

export interface ExportResult extends ExportProgress, SourceCounts {
  readonly blob?: Blob | undefined;
}

import type { Feature } from "../../../engine/index.ts";
import type { FormatName } from "../../../search/index.ts";
import type { JoinedRow } from "./file-calls.ts";
import type { SearchArgument } from "./search-calls.ts";

export interface ExportArgument extends SearchArgument {
  /** Records to write instead of those that the search finds. */
  readonly records?: readonly Feature[] | undefined;
  /** Headers of CSV columns, by column name. Any other header is the column's name in words. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly format: FormatName;
  /** Rows of the user's files to write after the records: all matches, or these rows. */
  readonly rows?: "all" | readonly JoinedRow[] | undefined;
  /** The file to write. Without it, the export is returned as a blob. */
  readonly file?: FileSystemFileHandle | undefined;
}

/** Rows of the user's files as features. */
export interface ExportedRows {
  readonly features: readonly Feature[];
  /** Names of the features' properties, without those that hold the position. */
  readonly columns: readonly string[];
  /** Names of the files. */
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
  /** Number of records that name no source. */
  readonly unnamed: number;
}

export interface ExportResult extends ExportProgress, SourceCounts {
  readonly blob?: Blob | undefined;
}

import type { Feature } from "../../../engine/index.ts";
import type { Extent, FormatName } from "../../../search/index.ts";
import type { JoinedRow } from "./file-calls.ts";
import type { SearchArgument } from "./search-calls.ts";

export interface ExportArgument extends SearchArgument {
  readonly extent: Extent;
  readonly format: FormatName;
  /** Rows of the reader's own files that are written after the records: all that match, or these. */
  readonly rows?: "all" | readonly JoinedRow[] | undefined;
  /** The file to write; without one the export comes back as a blob. */
  readonly file?: FileSystemFileHandle | undefined;
}

/** Rows of files as features, and what is said of them. */
export interface ExportedRows {
  readonly features: readonly Feature[];
  /** Names of their properties, but for those that say where a row is. */
  readonly columns: readonly string[];
  /** Names of the files that they are of. */
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

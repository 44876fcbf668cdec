import type { Extent, FormatName } from "../../../search/index.ts";
import type { SearchArgument } from "./search-calls.ts";

export interface ExportArgument extends SearchArgument {
  readonly extent: Extent;
  readonly format: FormatName;
  /** The file to write; without one the export comes back as a blob. */
  readonly file?: FileSystemFileHandle | undefined;
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

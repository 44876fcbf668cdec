import type { SearchArgument } from "./search-calls.ts";

/** Those of the interface, and CSV that no spreadsheet runs. */
export const EXPORT_FORMATS = ["json", "geojson", "csv", "spreadsheet"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The interface's format that it is made of, which is the file's extension too. */
export function restFormat(format: ExportFormat): "json" | "geojson" | "csv" {
  return format === "spreadsheet" ? "csv" : format;
}

export interface ExportArgument extends SearchArgument {
  readonly extent: "page" | "all";
  readonly format: ExportFormat;
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

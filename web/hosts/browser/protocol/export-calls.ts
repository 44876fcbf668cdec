/**
 * What the page may ask of an export, and what comes back.
 * @module
 */
import type { SearchArgument } from "./search-calls.ts";

/** Those of the interface, and CSV that no spreadsheet runs. */
export const EXPORT_FORMATS = ["json", "geojson", "csv", "spreadsheet"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The interface's format that it is made of, which is the file's extension too. */
export function restFormat(format: ExportFormat): "json" | "geojson" | "csv" {
  return format === "spreadsheet" ? "csv" : format;
}

export interface ExportArgument extends SearchArgument {
  /** The search's page alone, or all that match. */
  readonly extent: "page" | "all";
  readonly format: ExportFormat;
  /** The file to write; without one the export comes back as a blob. */
  readonly file?: FileSystemFileHandle | undefined;
}

export interface ExportProgress {
  /** Records written. */
  readonly records: number;
  /** Records to write. */
  readonly total: number;
  readonly bytes: number;
}

/** Records that name a dataset, under one licence, among their sources. */
export interface SourceCount {
  /** As rows name it in `sources[].dataset`. */
  readonly dataset: string;
  /** As rows give it; undefined where they give none. */
  readonly license: string | undefined;
  readonly records: number;
}

export interface SourceCounts {
  /** Most records first, then by name. */
  readonly sources: readonly SourceCount[];
  /** Records that name no dataset. */
  readonly unnamed: number;
}

export interface ExportResult extends ExportProgress, SourceCounts {
  /** The file, when none was given to write to. */
  readonly blob?: Blob | undefined;
}

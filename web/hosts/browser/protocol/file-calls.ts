import type { BBox } from "../../../../data/format/bbox.ts";
import type { LeastColumn } from "../../../../data/format/filters.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";
import type { Facet } from "../../../../data/format/terms.ts";
import type { Feature } from "../../../engine/index.ts";
import type { SearchArgument } from "./search-calls.ts";

/** While it reads a file, a browser needs several times its size in memory. */
export const MOST_FILE_BYTES = 50_000_000;
export const MOST_FILE_ROWS = 100_000;
export const MOST_LISTED = 50;
/** Limit on rows of files among the records of one page. */
export const MOST_JOINED = 500;

/** The use of a column in a search: the same as the dataset filter of that name. */
export type ColumnUse = Facet | LeastColumn | "country";

export interface OwnFile {
  readonly id: string;
  readonly name: string;
  readonly rows: number;
  /** Rows without a position on the globe. */
  readonly leftOut: number;
  readonly bbox: BBox;
  /** Columns by their use in searches. */
  readonly columns: readonly { readonly use: ColumnUse; readonly names: readonly string[] }[];
  /** Columns that no search uses. */
  readonly otherColumns: readonly string[];
  readonly table: string;
  /** Whether it is on this device after a reload. */
  readonly isKept: boolean;
}

/** A file with the columns of its coordinates, if the user chose them. */
export interface FileToAdd {
  readonly file: File;
  readonly columns?: { readonly lat: string; readonly lng: string } | undefined;
}

export type FileFault =
  /** `got` is the extension or the media type of the file. */
  | { readonly code: "format"; readonly got: string }
  | { readonly code: "damaged"; readonly reason: string }
  | { readonly code: "columns"; readonly columns: readonly string[] }
  | { readonly code: "empty"; readonly leftOut: number }
  | { readonly code: "crs"; readonly crs: string }
  /** Coordinates that are not degrees, without a reference system. */
  | { readonly code: "units"; readonly example: string }
  | { readonly code: "bytes"; readonly bytes: number }
  | { readonly code: "rows"; readonly rows: number };

export type AddedFile =
  /** `body` contains the geometry of each row, in order. Sent in slices. */
  | { readonly kind: "added"; readonly file: OwnFile; readonly body: readonly Geometry[] }
  | { readonly kind: "refused"; readonly fault: FileFault };

/** Without a search it asks for all rows. */
interface FileQuestion {
  readonly id: string;
  readonly search?: SearchArgument;
}

export interface FileMatch {
  readonly row: number;
  readonly title: string | undefined;
  /** From the centre of the circle or area, rounded to 1 mm. Left out without a centre. */
  readonly distanceMeters?: number;
}

export interface FileAnswer {
  readonly total: number;
  readonly matches: readonly FileMatch[];
  /** Filters that removed no rows: uses that the file has no column for, and parameters of a table's columns. */
  readonly unasked: readonly string[];
  /** Part of the total: rows of unknown country, if the search has a country. */
  readonly unplaced: number;
}

/** Rows of all files among the records of a page, with distances from (inclusive) to (exclusive), in metres. */
export interface JoinQuestion {
  readonly search: SearchArgument;
  readonly from?: number;
  readonly below?: number;
}

export interface JoinedRow extends FileMatch {
  readonly file: string;
}

export interface JoinedRows {
  /** Of all pages. */
  readonly total: number;
  readonly before: number;
  /** Rows beyond the limit of `body`. */
  readonly left: number;
  /** In order. Sent in slices. */
  readonly body: readonly JoinedRow[];
}

/** Whether a file was stored, or why not. */
export type KeepResult =
  | { readonly kind: "kept" }
  | { readonly kind: "full"; readonly neededBytes: number; readonly freeBytes: number | undefined }
  /** The browser gives the page no storage: a private window, or site data is blocked. */
  | { readonly kind: "forbidden" };

/** A stored file; `key` is its key in the store. */
export interface KeptFile {
  readonly key: string;
  /** Only while it is open. */
  readonly id?: string;
  readonly name: string;
  readonly bytes: number;
}

/** BroadcastChannel on which tabs announce that the stored files changed. */
export const FILES_CHANNEL = "cairn-files";

export interface FileCalls {
  addFile: { argument: FileToAdd; value: AddedFile };
  removeFile: { argument: string; value: undefined };
  /** Restores the file that was removed last, with its id; undefined if another one was removed last. */
  restoreFile: { argument: string; value: AddedFile | undefined };
  searchFile: { argument: FileQuestion; value: FileAnswer };
  joinFiles: { argument: JoinQuestion; value: JoinedRows };
  fileRow: {
    argument: { readonly id: string; readonly row: number };
    value: { readonly feature: Feature; readonly title: string | undefined };
  };
  /** The rows as an Arrow stream, for a table of the console. */
  fileTable: { argument: string; value: ArrayBuffer };
  /** Throws when the store fails in an unknown way. */
  keepFile: { argument: string; value: KeepResult };
  /** The file stays open, but is gone after a reload. */
  forgetFile: { argument: string; value: undefined };
  keptFiles: { argument: undefined; value: readonly KeptFile[] };
  /** Reads a stored file; undefined when it is already open, or deleted. */
  openKept: { argument: string; value: AddedFile | undefined };
}

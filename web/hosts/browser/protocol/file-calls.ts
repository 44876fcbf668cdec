import type { BBox } from "../../../../data/format/bbox.ts";
import type { LeastColumn } from "../../../../data/format/filters.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";
import type { Facet } from "../../../../data/format/terms.ts";
import type { Feature } from "../../../engine/index.ts";
import type { SearchArgument } from "./search-calls.ts";

/** Maximum size of a file: while it is read, a browser needs several times its size in memory. */
export const MOST_FILE_BYTES = 50_000_000;
export const MOST_FILE_ROWS = 100_000;
export const MOST_LISTED = 50;
/** Maximum number of rows of files among the records of one page. */
export const MOST_JOINED = 500;

/** How a search uses a column of a file: like the dataset's filter of that name. */
export type ColumnUse = Facet | LeastColumn | "country";

export interface OwnFile {
  readonly id: string;
  readonly name: string;
  readonly rows: number;
  /** Number of rows without a position on the globe, which are left out. */
  readonly leftOut: number;
  readonly bbox: BBox;
  /** Columns that searches use, by their use. */
  readonly columns: readonly { readonly use: ColumnUse; readonly names: readonly string[] }[];
  /** Columns that no search uses. */
  readonly otherColumns: readonly string[];
  readonly table: string;
  /** Whether the file is stored on the device, so that it is there after a reload. */
  readonly isKept: boolean;
}

/** A file, with the names of the columns of its coordinates if the user chose them. */
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

/** A search in a file. Without `search` all rows are found. */
interface FileQuestion {
  readonly id: string;
  readonly search?: SearchArgument;
}

export interface FileMatch {
  readonly row: number;
  readonly title: string | undefined;
  /** Metres from the centre of the circle or area, rounded to 1 mm. Undefined without either. */
  readonly distanceMeters?: number;
}

export interface FileAnswer {
  readonly total: number;
  readonly matches: readonly FileMatch[];
  /** Filters that were ignored: uses for which the file has no column, and parameters of a table's columns. */
  readonly unasked: readonly string[];
  /** Number of rows in `total` whose country is unknown, if the search has a country. */
  readonly unplaced: number;
}

/**
 * Asks for rows of all files to show among the records of a page: those with distances of at least `from` and less than `below`
 * metres.
 */
export interface JoinQuestion {
  readonly search: SearchArgument;
  readonly from?: number;
  readonly below?: number;
}

export interface JoinedRow extends FileMatch {
  readonly file: string;
}

export interface JoinedRows {
  /** Number of rows on all pages. */
  readonly total: number;
  /** Number of rows with smaller distances. */
  readonly before: number;
  /** Number of rows that are not in `body`, because it has too many. */
  readonly left: number;
  /** The rows, in order. Sent in several messages. */
  readonly body: readonly JoinedRow[];
}

/** Whether a file was stored, or why not. */
export type KeepResult =
  | { readonly kind: "kept" }
  | { readonly kind: "full"; readonly neededBytes: number; readonly freeBytes: number | undefined }
  /** The browser gives the page no storage: a private window, or site data is blocked. */
  | { readonly kind: "forbidden" };

/** A stored file. `key` is its key in the store. */
export interface KeptFile {
  readonly key: string;
  /** Id of the open file. Undefined if it is not open. */
  readonly id?: string;
  readonly name: string;
  readonly bytes: number;
}

/** Name of the BroadcastChannel on which tabs announce that the stored files changed. */
export const FILES_CHANNEL = "cairn-files";

export interface FileCalls {
  addFile: { argument: FileToAdd; value: AddedFile };
  removeFile: { argument: string; value: undefined };
  /** Opens the file again that was removed last, under the same id. Undefined if another file was removed last. */
  restoreFile: { argument: string; value: AddedFile | undefined };
  searchFile: { argument: FileQuestion; value: FileAnswer };
  joinFiles: { argument: JoinQuestion; value: JoinedRows };
  fileRow: {
    argument: { readonly id: string; readonly row: number };
    value: { readonly feature: Feature; readonly title: string | undefined };
  };
  /** Returns the rows as an Arrow stream, for a table of the console. */
  fileTable: { argument: string; value: ArrayBuffer };
  /** Stores the file on the device. Rejects when the store fails in an unknown way. */
  keepFile: { argument: string; value: KeepResult };
  /** Deletes the stored file. It stays open until a reload. */
  forgetFile: { argument: string; value: undefined };
  keptFiles: { argument: undefined; value: readonly KeptFile[] };
  /** Opens a stored file; undefined when it is open already, or deleted. */
  openKept: { argument: string; value: AddedFile | undefined };
}

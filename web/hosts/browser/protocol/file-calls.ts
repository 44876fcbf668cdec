import type { BBox } from "../../../../data/format/bbox.ts";
import type { LeastColumn } from "../../../../data/format/filters.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";
import type { Facet } from "../../../../data/format/terms.ts";
import type { Feature } from "../../../engine/index.ts";
import type { SearchArgument } from "./search-calls.ts";

/** A browser holds some times that in memory while it is read. */
export const MOST_FILE_BYTES = 50_000_000;
export const MOST_FILE_ROWS = 100_000;
export const MOST_LISTED = 50;
/** Rows of files among the records of one page. */
export const MOST_JOINED = 500;

/** What a search asks of a column: what the dataset's filters of the same facet do. */
export type ColumnUse = Facet | LeastColumn | "country";

export interface OwnFile {
  readonly id: string;
  readonly name: string;
  readonly rows: number;
  /** Rows without a place on the globe. */
  readonly leftOut: number;
  readonly bbox: BBox;
  /** What searches ask of which columns. */
  readonly columns: readonly { readonly use: ColumnUse; readonly names: readonly string[] }[];
  /** Columns that no search asks for. */
  readonly otherColumns: readonly string[];
  /** Its table in the SQL console. */
  readonly table: string;
  /** Whether it is on this device after a reload. */
  readonly isKept: boolean;
}

export type FileFault =
  /** `got` is the file's ending or its media type. */
  | { readonly code: "format"; readonly got: string }
  | { readonly code: "damaged"; readonly reason: string }
  | { readonly code: "columns"; readonly columns: readonly string[] }
  | { readonly code: "empty"; readonly leftOut: number }
  | { readonly code: "crs"; readonly crs: string }
  | { readonly code: "bytes"; readonly bytes: number }
  | { readonly code: "rows"; readonly rows: number };

export type AddedFile =
  /** `body` holds the geometry of each row, in order. It travels in slices. */
  | { readonly kind: "added"; readonly file: OwnFile; readonly body: readonly Geometry[] }
  | { readonly kind: "refused"; readonly fault: FileFault };

/** Without a search all rows are asked for. */
export interface FileQuestion {
  readonly id: string;
  readonly search?: SearchArgument;
}

export interface FileMatch {
  readonly row: number;
  readonly title: string | undefined;
  /** From the centre of circle or area, to 1 mm; left out when there is neither. */
  readonly distanceMeters?: number;
}

export interface FileAnswer {
  readonly total: number;
  readonly matches: readonly FileMatch[];
  /** What the search asks and the file has no column for: it leaves rows out by none of these. */
  readonly unasked: readonly ColumnUse[];
  /** Of the total: rows whose country is not known, when one was asked for. */
  readonly unplaced: number;
}

/** Rows of all files among the records of a page: from a distance up to below another, metres. */
export interface JoinQuestion {
  readonly search: SearchArgument;
  readonly from?: number;
  readonly below?: number;
}

export interface JoinedRow extends FileMatch {
  /** The file's id. */
  readonly file: string;
}

export interface JoinedRows {
  /** Of all pages. */
  readonly total: number;
  /** Those nearer than `from`. */
  readonly before: number;
  /** Those that `body` has no room for. */
  readonly left: number;
  /** In order. It travels in slices. */
  readonly body: readonly JoinedRow[];
}

/** Why a file was not kept. */
export type KeepResult =
  | { readonly kind: "kept" }
  | { readonly kind: "full"; readonly neededBytes: number; readonly freeBytes: number | undefined }
  /** The browser gives the page no store: a private window, or site data forbidden. */
  | { readonly kind: "forbidden" };

/** A file that is kept; `key` is the store's. */
export interface KeptFile {
  readonly key: string;
  /** When it is open. */
  readonly id?: string;
  readonly name: string;
  readonly bytes: number;
}

/** Tabs tell each other by this channel that other files are kept. */
export const FILES_CHANNEL = "cairn-files";

export interface FileCalls {
  addFile: { argument: File; value: AddedFile };
  removeFile: { argument: string; value: undefined };
  /** Brings back the file that was removed last, with the id that it had; undefined when that is another. */
  restoreFile: { argument: string; value: AddedFile | undefined };
  searchFile: { argument: FileQuestion; value: FileAnswer };
  joinFiles: { argument: JoinQuestion; value: JoinedRows };
  fileRow: {
    argument: { readonly id: string; readonly row: number };
    value: { readonly feature: Feature; readonly title: string | undefined };
  };
  /** The rows as an Arrow stream, for a table of the console. */
  fileTable: { argument: string; value: ArrayBuffer };
  /** Throws when the store fails in a way that it did not tell of. */
  keepFile: { argument: string; value: KeepResult };
  /** The file stays open, and is gone after a reload. */
  forgetFile: { argument: string; value: undefined };
  keptFiles: { argument: undefined; value: readonly KeptFile[] };
  /** Reads a kept file; undefined when it is open already, or gone. */
  openKept: { argument: string; value: AddedFile | undefined };
}

import type { Area } from "../../../../data/format/area.ts";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { Geometry } from "../../../../data/format/geometry.ts";
import type { Circle, Feature } from "../../../engine/index.ts";

/** A browser holds some times that in memory while it is read. */
export const MOST_FILE_BYTES = 50_000_000;
export const MOST_FILE_ROWS = 100_000;
export const MOST_LISTED = 50;

export interface OwnFile {
  readonly id: string;
  readonly name: string;
  readonly rows: number;
  /** Rows without a place on the globe. */
  readonly leftOut: number;
  readonly bbox: BBox;
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

/** What is searched for; of circle and area one at most. */
export interface FileQuestion {
  readonly id: string;
  readonly circle?: Circle;
  readonly area?: Area;
  /** Words of which each must begin a word of the row's name. */
  readonly name?: string;
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
}

export interface FileCalls {
  addFile: { argument: File; value: AddedFile };
  removeFile: { argument: string; value: undefined };
  searchFile: { argument: FileQuestion; value: FileAnswer };
  fileRow: { argument: { readonly id: string; readonly row: number }; value: Feature };
}

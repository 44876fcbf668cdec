import type { BBox } from "../../../../data/format/bbox.ts";
import type { OvertureType } from "../../../../data/format/collections.ts";

/** Maximum bytes of a download. Row groups are fetched whole, although only some of their rows are needed. */
export const MOST_RELEASE_BYTES = 64_000_000;
/** Maximum number of rows: as GeoJSON they must stay below the limit for one file. */
export const MOST_RELEASE_ROWS = 50_000;
export const MOST_RELEASE_SQUARE_KM = 10_000;

export interface ReleaseQuestion {
  /** URL of Overture's STAC catalogue, or of a mirror of it. */
  readonly catalog: string;
  readonly bbox: BBox;
  readonly types: readonly OvertureType[];
}

/** Size of the download from the latest release. */
export interface ReleaseSize {
  /** Id of this measurement. It is valid until the next measurement. */
  readonly id: string;
  readonly release: string;
  readonly licenses: readonly string[];
  readonly files: number;
  readonly groups: number;
  readonly bytes: number;
  /** Estimated number of rows. */
  readonly rows: number;
}

export interface ReleaseProgress {
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface ReleaseRows {
  /** GeoJSON files, one for each type that has rows. */
  readonly files: readonly File[];
  readonly rows: number;
}

export interface OvertureCalls {
  measureRelease: { argument: ReleaseQuestion; value: ReleaseSize };
  /** Fetches what the measurement with this id has measured. */
  fetchRelease: { argument: string; value: ReleaseRows; progress: ReleaseProgress };
}

import type { BBox } from "../../../../data/format/bbox.ts";
import type { OvertureType } from "../../../../data/format/collections.ts";

/** Row groups are fetched whole, for some rows of each. */
export const MOST_RELEASE_BYTES = 64_000_000;
/** As GeoJSON they must stay below the limit for one file. */
export const MOST_RELEASE_ROWS = 50_000;
export const MOST_RELEASE_SQUARE_KM = 10_000;

export interface ReleaseQuestion {
  /** URL of the STAC catalogue. */
  readonly catalog: string;
  readonly bbox: BBox;
  readonly types: readonly OvertureType[];
}

/** Size of the download from the latest release. */
export interface ReleaseSize {
  /** Identifies this measurement. The next one replaces it. */
  readonly id: string;
  readonly release: string;
  readonly licenses: readonly string[];
  readonly files: number;
  readonly groups: number;
  readonly bytes: number;
  /** An estimate. */
  readonly rows: number;
}

export interface ReleaseProgress {
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface ReleaseRows {
  /** GeoJSON, one file per type that has rows. */
  readonly files: readonly File[];
  readonly rows: number;
}

export interface OvertureCalls {
  measureRelease: { argument: ReleaseQuestion; value: ReleaseSize };
  /** Fetches the measurement with this id. */
  fetchRelease: { argument: string; value: ReleaseRows; progress: ReleaseProgress };
}

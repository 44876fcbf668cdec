import type { BBox } from "../../../../data/format/bbox.ts";
import type { OvertureType } from "../../../../data/format/collections.ts";

/** Row groups are fetched whole, for some rows of each. */
export const MOST_RELEASE_BYTES = 64_000_000;
/** As GeoJSON they are to stay below what a file of one's own may have. */
export const MOST_RELEASE_ROWS = 50_000;
export const MOST_RELEASE_SQUARE_KM = 10_000;

export interface ReleaseQuestion {
  /** Address of the STAC catalogue. */
  readonly catalog: string;
  readonly bbox: BBox;
  readonly types: readonly OvertureType[];
}

/** What would be fetched of the latest release. */
export interface ReleaseSize {
  /** Of this measurement; the next one takes its place. */
  readonly id: string;
  readonly release: string;
  readonly licenses: readonly string[];
  readonly files: number;
  readonly groups: number;
  readonly bytes: number;
  /** About. */
  readonly rows: number;
}

export interface ReleaseProgress {
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface ReleaseRows {
  /** GeoJSON, one of each type that has rows. */
  readonly files: readonly File[];
  readonly rows: number;
}

export interface OvertureCalls {
  measureRelease: { argument: ReleaseQuestion; value: ReleaseSize };
  /** Fetches what was measured under this id. */
  fetchRelease: { argument: string; value: ReleaseRows; progress: ReleaseProgress };
}

import type { BBox } from "../../data/format/bbox.ts";
import type { OvertureType } from "../../data/format/collections.ts";

/** Which records of two releases are compared. */
export interface WantedChanges {
  readonly country?: string | undefined;
  readonly bbox?: BBox | undefined;
  /** All when left out. */
  readonly types?: readonly OvertureType[] | undefined;
}

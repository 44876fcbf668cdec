/**
 * A suggestion, and how it is named.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { TermColumns } from "../../../data/format/terms.ts";

/** A feature whose name has all the words that were typed. */
export interface Suggestion {
  readonly kind: "country" | "division" | "place" | "street";
  readonly collection: CollectionName;
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the name: a division's region, a place's address. Empty where nothing is known. */
  readonly detail: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Its representative point, degrees WGS84. */
  readonly lng: number;
  readonly lat: number;
  /** Its box where it is more than a point; a division's is that of its area. */
  readonly bbox?: BBox;
}

export type Names = NonNullable<TermColumns["names"]>;

/** The name in the language where there is one, else the primary name. */
export function nameOf(names: Names, language: string | undefined): string {
  return (language === undefined ? undefined : names.common?.[language]) ?? names.primary ?? "";
}

/** The box, unless it is that of a point. */
export function boxOf(bbox: BBox): { bbox?: BBox } {
  return bbox[0] === bbox[2] && bbox[1] === bbox[3] ? {} : { bbox };
}

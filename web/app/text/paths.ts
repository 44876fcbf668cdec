/**
 * What each search path is called.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Path } from "../state/search.ts";

interface PathText {
  readonly label: string;
  /** As in "3 places". */
  readonly one: string;
  readonly many: string;
  /** Collections that the path searches. */
  readonly collections: readonly CollectionName[];
}

export const PATH_TEXT: Readonly<Record<Path, PathText>> = {
  places: { label: "Places", one: "place", many: "places", collections: ["place"] },
  buildings: { label: "Buildings", one: "building", many: "buildings", collections: ["building"] },
  addresses: { label: "Addresses", one: "address", many: "addresses", collections: ["address"] },
  base: {
    label: "Base",
    one: "base feature",
    many: "base features",
    collections: ["infrastructure", "land", "land_cover", "land_use", "water", "bathymetry"],
  },
  transportation: { label: "Roads & rail", one: "segment", many: "segments", collections: ["segment"] },
  divisions: { label: "Divisions", one: "division", many: "divisions", collections: ["division_area"] },
};

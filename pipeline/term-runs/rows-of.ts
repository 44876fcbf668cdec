import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";

/** SQL of a collection's rows and their `country`, as what follows FROM. */
export type RowsOf = (collection: CollectionName) => string;

/** The box of what lies nowhere. */
export const WORLD: BBox = [-180, -90, 180, 90];

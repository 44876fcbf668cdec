import type { ReadOptions } from "../../../data/tables/index.ts";
import type { AskedRoles } from "./describe-columns.ts";
import type { Geocode } from "./geocode-rows.ts";

/** How a table is read. */
export interface TableOptions extends Pick<ReadOptions, "lat" | "lng" | "geometry" | "crs"> {
  /** Name of the collection. Default: from the file's name. */
  readonly name?: string | undefined;
  /** Column by role. */
  readonly roles?: AskedRoles | undefined;
  /** Finds the coordinates of rows without them. */
  readonly geocode?: Geocode | undefined;
}

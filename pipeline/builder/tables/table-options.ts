import type { ReadOptions } from "../../../data/tables/index.ts";
import type { AskedRoles } from "./describe-columns.ts";
import type { Geocode } from "./geocode-rows.ts";

/** How a user's table is read. */
export interface TableOptions extends Pick<ReadOptions, "lat" | "lng" | "geometry" | "crs"> {
  /** Name of the collection. Default: from the file's name. */
  readonly name?: string | undefined;
  /** Name of the column for each role. */
  readonly roles?: AskedRoles | undefined;
  /** Finds coordinates by addresses, for rows without coordinates. */
  readonly geocode?: Geocode | undefined;
}

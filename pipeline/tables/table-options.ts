import type { Role } from "../../data/format/own-schema.ts";
import type { ReadOptions } from "../../data/tables/index.ts";

/** How a table is read. */
export interface TableOptions extends Pick<ReadOptions, "lat" | "lng" | "geometry" | "crs"> {
  /** Name of the collection. Default: from the file's name. */
  readonly name?: string | undefined;
  /** Column by role. */
  readonly roles?: Readonly<Partial<Record<Role | "id", string>>> | undefined;
}

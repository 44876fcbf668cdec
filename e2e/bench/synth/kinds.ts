/**
 * The kinds of rows that can be made.
 * @module
 */
import type { OvertureType } from "../../../data/format/collections.ts";
import type { Database } from "../../../pipeline/database/database.ts";
import { addressesSql, createAddressDonors } from "./addresses.ts";
import { buildingsSql, createBuildingDonors } from "./buildings.ts";
import { createPlaceDonors, placesSql } from "./places.ts";
import type { RowRange } from "./position.ts";
import { createSegmentDonors, segmentsSql } from "./segments.ts";

export interface SyntheticKind {
  readonly type: OvertureType;
  /** As GeoParquet names them. */
  readonly geometryTypes: readonly string[];
  /** Makes the tables that the query needs; `sample` is the folder with the real sample. */
  readonly prepare: (database: Database, sample: string) => Promise<void>;
  /** A query of the rows in the range, in the order of their numbers, with Overture's columns. */
  readonly sql: (range: RowRange) => string;
}

/** By the name of the option that asks for them. */
export const SYNTHETIC_KINDS = {
  places: { type: "place", geometryTypes: ["Point"], prepare: createPlaceDonors, sql: placesSql },
  buildings: { type: "building", geometryTypes: ["Polygon"], prepare: createBuildingDonors, sql: buildingsSql },
  addresses: { type: "address", geometryTypes: ["Point"], prepare: createAddressDonors, sql: addressesSql },
  segments: { type: "segment", geometryTypes: ["LineString"], prepare: createSegmentDonors, sql: segmentsSql },
} as const satisfies Record<string, SyntheticKind>;

export type SyntheticKindName = keyof typeof SYNTHETIC_KINDS;

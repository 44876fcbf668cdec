/**
 * The kinds of rows that can be generated.
 * @module
 */
import type { OvertureType } from "../../../data/format/collections.ts";
import type { Database } from "../../../pipeline/base/database/database.ts";
import { addressesSql, createAddressDonors } from "./addresses.ts";
import { buildingsSql, createBuildingDonors } from "./buildings.ts";
import { createPlaceDonors, placesSql } from "./places.ts";
import type { RowRange } from "./position.ts";
import { createSegmentDonors, segmentsSql } from "./segments.ts";

export interface SyntheticKind {
  readonly type: OvertureType;
  /** GeoParquet names. */
  readonly geometryTypes: readonly string[];
  /** Makes the tables for the query; `sample` is the folder of the real sample. */
  readonly prepare: (database: Database, sample: string) => Promise<void>;
  /** Query of the rows in the range, in the order of their numbers, with Overture's columns. */
  readonly sql: (range: RowRange) => string;
}

/** By option name. */
export const SYNTHETIC_KINDS = {
  places: { type: "place", geometryTypes: ["Point"], prepare: createPlaceDonors, sql: placesSql },
  buildings: { type: "building", geometryTypes: ["Polygon"], prepare: createBuildingDonors, sql: buildingsSql },
  addresses: { type: "address", geometryTypes: ["Point"], prepare: createAddressDonors, sql: addressesSql },
  segments: { type: "segment", geometryTypes: ["LineString"], prepare: createSegmentDonors, sql: segmentsSql },
} as const satisfies Record<string, SyntheticKind>;

export type SyntheticKindName = keyof typeof SYNTHETIC_KINDS;

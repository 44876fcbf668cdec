/** Compares the rows of two answers. @module */
import type { Feature } from "../../engine/index.ts";

export interface Rows {
  /** Over all pages. */
  readonly total: number;
  /** The records of the page. */
  readonly records: readonly Feature[];
}

export type Comparison =
  | { readonly kind: "same"; readonly rows: number; readonly total: number }
  | { readonly kind: "count"; readonly totals: Both<number> }
  /** The first rank, from 1 on, with another record or another distance. A record may be missing. */
  | { readonly kind: "row"; readonly rank: number; readonly ids: Both<string | undefined> }
  | { readonly kind: "distance"; readonly rank: number; readonly metres: Both<number> };

interface Both<T> {
  readonly engine: T;
  readonly duckdb: T;
}

/** Distances are rounded to 1 mm on both sides. */
const TOLERANCE_METERS = 0.001 + 1e-6;

/** Compares number, records, order and distances. `first` is the rank of the first row of the page, from 1 on. */
export function compareRows(engine: Rows, duckdb: Rows, first: number): Comparison {
  if (engine.total !== duckdb.total) return { kind: "count", totals: { engine: engine.total, duckdb: duckdb.total } };
  const rows = Math.max(engine.records.length, duckdb.records.length);
  for (let index = 0; index < rows; index++) {
    const [ours, theirs] = [engine.records[index], duckdb.records[index]];
    const rank = first + index;
    if (!ours || !theirs || keyOf(ours) !== keyOf(theirs)) {
      return { kind: "row", rank, ids: { engine: ours?.id, duckdb: theirs?.id } };
    }
    const metres = { engine: metersOf(ours), duckdb: metersOf(theirs) };
    // also different if only one of them has a distance
    if (!(Math.abs(metres.engine - metres.duckdb) <= TOLERANCE_METERS)) return { kind: "distance", rank, metres };
  }
  return { kind: "same", rows, total: engine.total };
}

const keyOf = ({ id, properties }: Feature): string => `${properties.type} ${id}`;

/** A row without a distance is at 0, as in every search by country. */
function metersOf({ properties: { ext_distance: metres } }: Feature): number {
  return metres === undefined ? 0 : Number(metres);
}

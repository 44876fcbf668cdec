/** Compares the rows of two answers. @module */
import type { Feature } from "../../engine/index.ts";

export interface Rows {
  /** Number of matches, over all pages. */
  readonly total: number;
  /** The records of one page. */
  readonly records: readonly Feature[];
}

export type Comparison =
  | { readonly kind: "same"; readonly rows: number; readonly total: number }
  | { readonly kind: "count"; readonly totals: Both<number> }
  /** The first rank, from 1, with different records; an id is undefined if the page has fewer records. */
  | { readonly kind: "row"; readonly rank: number; readonly ids: Both<string | undefined> }
  | { readonly kind: "distance"; readonly rank: number; readonly metres: Both<number> };

interface Both<T> {
  readonly engine: T;
  readonly duckdb: T;
}

/** Largest difference of equal distances: both sides are rounded to 1 mm. */
const TOLERANCE_METERS = 0.001 + 1e-6;

/**
 * Compares the number of matches, then records, order and distances of a page, and returns the first difference. `first` is the
 * rank, from 1, of the page's first record.
 */
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

/** Returns the distance of the record in metres. A missing one, as in every search by country, is 0. */
function metersOf({ properties: { ext_distance: metres } }: Feature): number {
  return metres === undefined ? 0 : Number(metres);
}

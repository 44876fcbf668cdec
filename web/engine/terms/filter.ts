/**
 * Tests which rows meet the filters of a query, by their columns.
 * @module
 */
import { areaOfBox } from "../../../data/format/area.ts";
import { createAreaTest } from "../../../data/format/area-test.ts";
import type { BBox } from "../../../data/format/bbox.ts";
import { splitTerm } from "../../../data/format/terms.ts";
import { TooManyRowsError } from "../contract/errors.ts";
import type { Filters, Query } from "../contract/query.ts";
import { visitRowsWith } from "../store/row-terms.ts";
import type { RowRef, Rows } from "../store/rows.ts";
import { inTurn } from "../tasks/in-turn.ts";

/** Returns the rows that meet all filters. */
export async function testRows(refs: readonly RowRef[], filters: Filters): Promise<(ref: RowRef) => boolean> {
  const flags = new Map<Rows, Uint8Array>();
  for (const { rows } of refs) {
    if (!flags.has(rows)) flags.set(rows, await inTurn(() => matchRows(rows, filters)));
  }
  return ({ rows, row }) => flags.get(rows)?.[row] === 1;
}

/** Throws `TooManyRowsError` if the query may not read this number of rows to test them. */
export function boundTestedRows({ filters, maxTestedRows }: Query, rows: number): void {
  if (filters?.where && maxTestedRows !== undefined && rows > maxTestedRows) {
    throw new TooManyRowsError(rows, maxTestedRows);
  }
}

/** Returns a flag per row: 1 if it meets all filters. */
export function matchRows(rows: Rows, { terms = [], atLeast = {}, bbox, where }: Filters): Uint8Array {
  const matches = new Uint8Array(rows.rows).fill(1);
  const keep = (isKept: (row: number) => boolean): void => {
    for (let row = 0; row < matches.length; row++) if (matches[row] === 1 && !isKept(row)) matches[row] = 0;
  };
  for (const anyOf of terms) {
    const found = new Uint8Array(rows.rows);
    for (const term of anyOf) {
      const { facet, value } = splitTerm(term);
      visitRowsWith(rows, facet, value, (row) => {
        found[row] = 1;
      });
    }
    keep((row) => found[row] === 1);
  }
  for (const [column, least] of Object.entries(atLeast)) {
    const read = rows.column(column)?.read;
    keep((row) => {
      const value = read?.(row);
      return typeof value === "number" && value >= least;
    });
  }
  if (bbox) keep(shapeTest(rows, bbox));
  if (where) keep(where(rows));
  return matches;
}

function shapeTest(rows: Rows, bbox: BBox): (row: number) => boolean {
  const area = createAreaTest(areaOfBox(bbox));
  return (row) => {
    const own = rows.bbox(row);
    return area.reaches(own) && (area.holds(own) || area.intersects(rows.geometry(row)));
  };
}

/**
 * Tests which rows meet the filters of a query, by their columns.
 * @module
 */
import { areaOfBox } from "../../../data/format/area.ts";
import { createAreaTest } from "../../../data/format/area-test.ts";
import type { BBox } from "../../../data/format/bbox.ts";
import { termsOf } from "../../../data/format/fold.ts";
import { splitTerm } from "../../../data/format/terms.ts";
import { TooManyRowsError } from "../contract/errors.ts";
import type { ColumnTest, Filters, Json, Query } from "../contract/query.ts";
import { visitRowsWith } from "../store/row-terms.ts";
import type { RowRef, Rows } from "../store/rows.ts";
import { inTurn } from "../tasks/in-turn.ts";

/** Returns whether the filters have no condition, so that every row meets them. */
export function isEmpty({ terms = [], atLeast = {}, atMost = {}, columns = [], bbox, where }: Filters): boolean {
  const bounds = [...Object.keys(atLeast), ...Object.keys(atMost)];
  return terms.length === 0 && bounds.length === 0 && columns.length === 0 && !bbox && !where;
}

/**
 * Tests the rows. Returns a function that says whether a row meets all filters; false for rows of groups that were not tested.
 */
export async function testRows(refs: readonly RowRef[], filters: Filters): Promise<(ref: RowRef) => boolean> {
  const flags = new Map<Rows, Uint8Array>();
  for (const { rows } of refs) {
    if (!flags.has(rows)) flags.set(rows, await inTurn(() => matchRows(rows, filters)));
  }
  return ({ rows, row }) => flags.get(rows)?.[row] === 1;
}

/**
 * Throws `TooManyRowsError` if testing this number of rows exceeds the query's `maxTestedRows`. Only queries with `filters.where`
 * are limited.
 */
export function boundTestedRows({ filters, maxTestedRows }: Query, rows: number): void {
  if (filters?.where && maxTestedRows !== undefined && rows > maxTestedRows) {
    throw new TooManyRowsError(rows, maxTestedRows);
  }
}

/** Returns a flag for each row: 1 if it meets all filters, otherwise 0. */
export function matchRows(rows: Rows, filters: Filters): Uint8Array {
  const { terms = [], atLeast = {}, atMost = {}, columns = [], orUnknown = [], bbox, where } = filters;
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
  const keepNumbers = (column: string, isKept: (value: number) => boolean): void => {
    const read = rows.column(column)?.read;
    const isUnknownKept = orUnknown.includes(column);
    keep((row) => {
      const value = read?.(row) ?? null;
      return value === null ? isUnknownKept : typeof value === "number" && isKept(value);
    });
  };
  for (const [column, least] of Object.entries(atLeast)) keepNumbers(column, (value) => value >= least);
  for (const [column, most] of Object.entries(atMost)) keepNumbers(column, (value) => value <= most);
  for (const test of columns) {
    const read = rows.column(test.column)?.read;
    const isMet = columnTest(test);
    const isUnknownKept = orUnknown.includes(test.column);
    keep((row) => {
      const value = read?.(row) ?? null;
      return value === null ? isUnknownKept : isMet(value);
    });
  }
  if (bbox) keep(shapeTest(rows, bbox));
  if (where) keep(where(rows));
  return matches;
}

function columnTest({ min, max, values, words }: ColumnTest): (value: Json) => boolean {
  const isAmong = values && new Set<Json>(values);
  const isMet = (value: Json): boolean => {
    if (Array.isArray(value)) return value.some(isMet);
    if (value === null || typeof value === "object") return false;
    if (min !== undefined && !(typeof value === typeof min && value >= min)) return false;
    if (max !== undefined && !(typeof value === typeof max && value <= max)) return false;
    if (isAmong && !isAmong.has(value)) return false;
    if (!words) return true;
    const found = [...termsOf(String(value))];
    return words.every((word) => found.some((term) => term.startsWith(word)));
  };
  return isMet;
}

/** Whether a row's geometry meets the box. Most rows are decided by their own box. */
function shapeTest(rows: Rows, bbox: BBox): (row: number) => boolean {
  const area = createAreaTest(areaOfBox(bbox));
  return (row) => {
    const own = rows.bbox(row);
    return area.reaches(own) && (area.holds(own) || area.intersects(rows.geometry(row)));
  };
}

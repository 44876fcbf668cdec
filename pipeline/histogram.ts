/**
 * Rows per geohash cell, only as fine as the cut needs.
 * @module
 */
import { GEOHASH_BITS } from "../data/format/geohash.ts";
import type { Database } from "./database.ts";
import type { CellCount } from "./plan-partitions.ts";

/** Cells are counted at these levels; those that hold too many rows are counted again at the next. */
const LEVELS = [10, 20, 30, 40, GEOHASH_BITS] as const;

interface Counted {
  readonly country: string;
  readonly size_class: number;
  readonly cell: number;
  readonly rows: number;
}

/** Cells of a table with `_country _size_class _geohash`, in the order of the location run, of `target` rows at most or finest. */
export async function countCells(database: Database, table: string, target: number): Promise<CellCount[]> {
  const done: CellCount[] = [];
  let within = "";
  for (const [level, bits] of LEVELS.entries()) {
    const shift = GEOHASH_BITS - bits;
    const counted = await database.rows<Counted>(`
      SELECT _country AS country, _size_class AS size_class, _geohash >> ${shift} AS cell, count(*) AS rows
      FROM ${table} ${within} GROUP BY ALL`);
    const isDone = ({ rows }: Counted): boolean => rows <= target || bits === GEOHASH_BITS;
    for (const count of counted.filter(isDone)) {
      const { country, size_class: sizeClass, cell, rows } = count;
      done.push({ country, sizeClass, start: cell * 2 ** shift, bits, rows });
    }
    if (counted.every(isDone)) break;
    const full = `full_${level}`;
    await database.run(`
      CREATE OR REPLACE TEMP TABLE ${full} AS
      SELECT _country, _size_class, _geohash >> ${shift} AS _cell FROM ${table} ${within}
      GROUP BY ALL HAVING count(*) > ${target}`);
    within = `SEMI JOIN ${full} ON ${table}._country = ${full}._country AND ${table}._size_class = ${full}._size_class AND ${table}._geohash >> ${shift} = ${full}._cell`;
  }
  return done.sort(
    (a, b) =>
      (a.country < b.country ? -1 : a.country > b.country ? 1 : 0) || a.sizeClass - b.sizeClass || a.start - b.start,
  );
}

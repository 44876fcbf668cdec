import { GEOHASH_BITS } from "../../data/format/geohash.ts";
import type { Database } from "../database/index.ts";
import type { CellCount } from "./plan-partitions.ts";

/**
 * Bits of cells; those with too many rows are counted again at the next level. The first is coarse: there are as many
 * keys as countries or terms, and most have few rows.
 */
const LEVELS = [5, 10, 20, 30, 40, GEOHASH_BITS] as const;

export interface CellKeys {
  readonly table: string;
  readonly sizeClass: string;
  readonly key: string;
}

interface Counted {
  readonly country: string;
  readonly size_class: number;
  readonly cell: number;
  readonly rows: number;
}

/** Cells by (country, size class, key), with at most `target` rows unless they are finest. */
export async function countCells(
  database: Database,
  { table, sizeClass, key }: CellKeys,
  target: number,
): Promise<CellCount[]> {
  const done: CellCount[] = [];
  let within = "";
  for (const [level, bits] of LEVELS.entries()) {
    const shift = GEOHASH_BITS - bits;
    const counted = await database.rows<Counted>(`
      SELECT _country AS country, ${sizeClass} AS size_class, ${key} >> ${shift} AS cell, count(*) AS rows
      FROM ${table} ${within} GROUP BY ALL`);
    const isDone = ({ rows }: Counted): boolean => rows <= target || bits === GEOHASH_BITS;
    for (const { country, size_class, cell, rows } of counted.filter(isDone)) {
      done.push({ country, sizeClass: size_class, start: cell * 2 ** shift, bits, rows });
    }
    if (counted.every(isDone)) break;
    const full = `full_${level}`;
    await database.run(`
      CREATE OR REPLACE TEMP TABLE ${full} AS
      SELECT _country AS full_country, ${sizeClass} AS full_class, ${key} >> ${shift} AS full_cell FROM ${table} ${within}
      GROUP BY ALL HAVING count(*) > ${target}`);
    within = `SEMI JOIN ${full} ON _country = full_country AND ${sizeClass} = full_class AND ${key} >> ${shift} = full_cell`;
  }
  return done.sort(
    (a, b) =>
      (a.country < b.country ? -1 : a.country > b.country ? 1 : 0) || a.sizeClass - b.sizeClass || a.start - b.start,
  );
}

import { GEOHASH_BITS } from "../../../data/format/geohash.ts";
import { countRows, type Database } from "../../base/database/index.ts";
import type { CellCount } from "./plan-partitions.ts";

/**
 * Bits of cells. Cells with too many rows are counted again at the next level. The first level is coarse because most
 * countries have few rows. Later levels are limited, or there would be as many counts as rows.
 */
const FIRST_BITS = 5;
const STEP_BITS = 3;
const LEVELS = Array.from(
  { length: 1 + (GEOHASH_BITS - FIRST_BITS) / STEP_BITS },
  (_, i) => FIRST_BITS + i * STEP_BITS,
);

/** Up to this many keys are counted at every fifth level: there as many counts as rows are no problem. */
const FEW_KEYS = 2 ** 16;

/** Keys, or counts of adjacent keys: `country size_class key rows`. */
interface CountedKeys {
  /** A FROM clause. */
  readonly from: string;
  /** Bits of the coarsest cells. Coarser cells would include rows of other tasks. */
  readonly leastBits?: number | undefined;
}

/**
 * Creates the table `table` with the number of rows of cells, by (country, size class, key). Cells have at most
 * `target` rows, except the finest ones. The table has the columns of `CountedKeys`, so it can be counted again for any
 * larger target.
 */
export async function tallyCells(
  database: Database,
  { from, leastBits = 0 }: CountedKeys,
  { table, target }: { readonly table: string; readonly target: number },
): Promise<void> {
  const queries: string[] = [];
  let within = "";
  const areFew = (await countRows(database, from)) <= FEW_KEYS;
  for (const bits of LEVELS.filter((level, index) => level >= leastBits && (!areFew || index % 5 === 0))) {
    const shift = GEOHASH_BITS - bits;
    const counted = `counted_${bits}`;
    await database.run(`
      CREATE OR REPLACE TEMP TABLE ${counted} AS
      SELECT country, size_class, key >> ${shift} AS cell, sum(rows)::BIGINT AS rows
      FROM ${from} ${within} GROUP BY ALL`);
    const isFull = bits === GEOHASH_BITS ? "false" : `rows > ${target}`;
    queries.push(`SELECT country, size_class, cell << ${shift} AS key, rows FROM ${counted} WHERE NOT ${isFull}`);
    if ((await countRows(database, `${counted} WHERE ${isFull}`)) === 0) break;
    within = `
      SEMI JOIN (SELECT country AS full_country, size_class AS full_class, cell AS full_cell FROM ${counted} WHERE ${isFull})
      ON country = full_country AND size_class = full_class AND key >> ${shift} = full_cell`;
  }
  await database.run(`CREATE OR REPLACE TABLE ${table} AS ${queries.join(" UNION ALL ")}`);
}

/**
 * Returns cells with their number of rows, in the order of (country, size class, key). Cells have at most `target`
 * rows, except the finest ones. `from` is a FROM clause as in `CountedKeys`. Leaves the table `cells_to_cut`.
 */
export async function countCells(database: Database, from: string, target: number): Promise<CellCount[]> {
  const table = "cells_to_cut";
  await tallyCells(database, { from }, { table, target });
  return database.rows<CellCount>(`
    SELECT country, size_class AS "sizeClass", key AS start, rows FROM ${table} ORDER BY ALL`);
}

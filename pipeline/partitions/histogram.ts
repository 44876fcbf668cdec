import { GEOHASH_BITS } from "../../data/format/geohash.ts";
import { countRows, type Database } from "../database/index.ts";
import type { CellCount } from "./plan-partitions.ts";

/**
 * Bits of cells; those with too many rows are counted again at the next level. The first is coarse, as there are many
 * countries and most have few rows; an eighth of the one before has a part of its rows, or there would be as many counts as rows.
 */
const FIRST_BITS = 5;
const STEP_BITS = 3;
const LEVELS = Array.from(
  { length: 1 + (GEOHASH_BITS - FIRST_BITS) / STEP_BITS },
  (_, i) => FIRST_BITS + i * STEP_BITS,
);

/** Of keys that are counted at every fifth level: as many counts as rows do no harm. */
const FEW_KEYS = 2 ** 16;

/** Keys, or counts of neighbouring ones: `country size_class key rows`. */
export interface CountedKeys {
  /** As what follows FROM. */
  readonly from: string;
  /** Of the coarsest cells; there are no coarser ones where another task has some of their rows. */
  readonly leastBits?: number | undefined;
}

/**
 * Makes a table of cells by (country, size class, key), with at most `target` rows unless they are finest. It has columns
 * as `CountedKeys`, and so can be counted again, for any target that is not smaller.
 */
export async function tallyCells(
  database: Database,
  { from, leastBits = 0 }: CountedKeys,
  { table, target }: { readonly table: string; readonly target: number },
): Promise<void> {
  const told: string[] = [];
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
    told.push(`SELECT country, size_class, cell << ${shift} AS key, rows FROM ${counted} WHERE NOT ${isFull}`);
    if ((await countRows(database, `${counted} WHERE ${isFull}`)) === 0) break;
    within = `
      SEMI JOIN (SELECT country AS full_country, size_class AS full_class, cell AS full_cell FROM ${counted} WHERE ${isFull})
      ON country = full_country AND size_class = full_class AND key >> ${shift} = full_cell`;
  }
  await database.run(`CREATE OR REPLACE TABLE ${table} AS ${told.join(" UNION ALL ")}`);
}

/** Cells by (country, size class, key), in order, with at most `target` rows unless they are finest. */
export async function countCells(database: Database, from: string, target: number): Promise<CellCount[]> {
  const table = "cells_to_cut";
  await tallyCells(database, { from }, { table, target });
  return database.rows<CellCount>(`
    SELECT country, size_class AS "sizeClass", key AS start, rows FROM ${table} ORDER BY ALL`);
}

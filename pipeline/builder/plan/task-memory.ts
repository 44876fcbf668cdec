/**
 * Estimates the memory of tasks from the rows and bytes of their sources.
 * @module
 */
import type { DerivedRunName } from "../../../data/format/manifest.ts";
import type { StageName } from "./build-plan.ts";

/** The rows of sources from which a task's rows come, and their compressed bytes. */
export interface Amount {
  readonly rows: number;
  readonly bytes: number;
}

/** Adds amounts. */
export function sumOf(amounts: readonly Amount[]): Amount {
  const sum = (member: keyof Amount): number => amounts.reduce((total, amount) => total + amount[member], 0);
  return { rows: sum("rows"), bytes: sum("bytes") };
}

/** Returns one of `count` equal shares of an amount. */
export function shareOf({ rows, bytes }: Amount, count: number): Amount {
  return { rows: rows / count, bytes: bytes / count };
}

/** The program, DuckDB itself, country outlines. */
const BASE_BYTES = 384 * 2 ** 20;
const LEAST_BYTES = 2 ** 30;

/** Each derived run has its own value. */
type Sized = Exclude<StageName, "derive"> | Exclude<DerivedRunName, "term">;

/**
 * Bytes per row: measured use above the base, plus a fifth, for 300,000 places and 200,000 buildings in tasks of
 * 150,000 rows with 8 GiB. With less memory DuckDB sorts on disk. A survey holds the cuts of one group of countries: 7
 * bytes per row for 16 million rows, 3 for 400 million. An index task used 600 MiB for half a million partitions of 374
 * million rows. Measured alone: suggestions of 104,000 divisions and areas, look-ups of 16 million keys, counts of 20
 * million places. Counts per cell hold them encoded.
 */
const BYTES_PER_ROW: Readonly<Record<Sized, number>> = {
  scan: 3584,
  duplicates: 64,
  tally: 64,
  survey: 7,
  number: 5120,
  join: 3584,
  duplicates_join: 64,
  tally_join: 64,
  survey_join: 7,
  number_join: 5120,
  reduce: 3584,
  ids: 64,
  terms: 256,
  suggest: 2304,
  find: 16,
  count_brand: 8,
  count_category: 8,
  count_country: 8,
  count_cell: 6,
  table: 512,
  index: 2,
  publish: 0,
};

/** Tasks that hold complete rows, where large geometries are held uncompressed. */
const PER_SOURCE_BYTE: Readonly<Partial<Record<Sized, number>>> = { scan: 4, number: 4, join: 4, reduce: 4 };

/** Returns the approximate memory of a task in bytes, rounded up to a power of two or 1.5 times one, at least 1 GiB. */
export function taskMemory(of: Sized, { rows, bytes }: Amount): number {
  const needed = BASE_BYTES + rows * BYTES_PER_ROW[of] + bytes * (PER_SOURCE_BYTE[of] ?? 0);
  const power = 2 ** Math.floor(Math.log2(Math.max(needed, LEAST_BYTES)));
  return [power, 1.5 * power].find((size) => size >= needed) ?? 2 * power;
}

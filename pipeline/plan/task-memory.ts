import type { StageName } from "./build-plan.ts";

/** Rows of the sources that a task's rows come from, and their compressed bytes. */
export interface Amount {
  readonly rows: number;
  readonly bytes: number;
}

/** The program, DuckDB's own, country outlines. */
const BASE_BYTES = 384 * 2 ** 20;
const LEAST_BYTES = 2 ** 30;

/**
 * For a row, as measured and a fifth more: 300,000 places and 200,000 buildings in tasks of 150,000 rows took so much beyond
 * the base where they might have had 8 GiB. With less DuckDB sorts on disk.
 */
const BYTES_PER_ROW: Readonly<Record<StageName, number>> = {
  scan: 3584,
  survey: 64,
  number: 5120,
  join: 3584,
  survey_join: 64,
  number_join: 5120,
  reduce: 3584,
  terms: 256,
  derive: 256,
};

/** Those that hold whole rows: geometries that are larger than most are held unpacked. */
const PER_SOURCE_BYTE: Readonly<Partial<Record<StageName, number>>> = { scan: 4, number: 4, join: 4, reduce: 4 };

/** Memory that a task needs, about, in few sizes: powers of two, and half as much again. */
export function taskMemory(stage: StageName, { rows, bytes }: Amount): number {
  const needed = BASE_BYTES + rows * BYTES_PER_ROW[stage] + bytes * (PER_SOURCE_BYTE[stage] ?? 0);
  const power = 2 ** Math.floor(Math.log2(Math.max(needed, LEAST_BYTES)));
  return [power, 1.5 * power].find((size) => size >= needed) ?? 2 * power;
}

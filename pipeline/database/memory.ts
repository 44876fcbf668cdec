import { totalmem } from "node:os";

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

const LEAST_BYTES = 512 * 2 ** 20;

/**
 * Node, the country outlines and the plan of a task take some 0.4 GiB; DuckDB itself was seen to hold 1.1 GiB beyond
 * a limit of 2.5 where 20 million places were built.
 */
const BESIDE_DUCKDB_BYTES = 1792 * 2 ** 20;
const MOST_FOR_DUCKDB = 3 / 4;

/** A size such as `4MB` in bytes; undefined for anything else. */
function parseSize(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?$/.exec(text.trim().toUpperCase()) ?? [];
  const bytes = Math.floor(Number(number) * (UNITS[unit ?? ""] ?? Number.NaN));
  return Number.isNaN(bytes) ? undefined : bytes;
}

const MOST_PACK_BYTES = 512 * 2 ** 20;

/** The largest size of a pack; 0 for a file for each slice. */
export function parsePackSize(text: string): number {
  const bytes = parseSize(text);
  if (bytes === undefined || bytes > MOST_PACK_BYTES)
    throw new Error(`--pack-size ${text}: expected a size such as 4MB, of 512MB at most, or 0`);
  return bytes;
}

/** A size such as `4GB`, `512MiB` or `2g` in bytes; units are powers of 1,024. Throws for anything else, and for too little. */
export function parseMemory(text: string): number {
  const bytes = parseSize(text);
  if (bytes === undefined || bytes < LEAST_BYTES)
    throw new Error(`--memory ${text}: expected a size such as 4GB, of 512MB at least`);
  return bytes;
}

export function defaultMemory(): number {
  const allowed = process.constrainedMemory();
  return Math.max(LEAST_BYTES, Math.floor(Math.min(totalmem(), allowed > 0 ? allowed : totalmem()) / 4));
}

export function duckdbBytes(memoryBytes: number): number {
  return Math.max(memoryBytes / 2, Math.min(memoryBytes * MOST_FOR_DUCKDB, memoryBytes - BESIDE_DUCKDB_BYTES));
}

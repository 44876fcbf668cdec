import { totalmem } from "node:os";
import { CodedError } from "../errors/index.ts";

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

const LEAST_BYTES = 512 * 2 ** 20;

/**
 * Node, the country outlines and the plan of a task use about 0.4 GiB. DuckDB used 1.1 GiB more than its limit
 * of 2.5 GiB in a build of 20 million places.
 */
const BESIDE_DUCKDB_BYTES = 1792 * 2 ** 20;
const MOST_FOR_DUCKDB = 3 / 4;

/** Returns the bytes of a size such as `4MB`; undefined for other text. */
function parseSize(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?$/.exec(text.trim().toUpperCase()) ?? [];
  const bytes = Math.floor(Number(number) * (UNITS[unit ?? ""] ?? Number.NaN));
  return Number.isNaN(bytes) ? undefined : bytes;
}

const MOST_PACK_BYTES = 512 * 2 ** 20;

/**
 * Returns the bytes of the option `--pack-size`; 0 means one file per slice. Throws if the text is no size, or more
 * than 512 MiB.
 */
export function parsePackSize(text: string): number {
  const bytes = parseSize(text);
  if (bytes === undefined || bytes > MOST_PACK_BYTES)
    throw new CodedError("CAIRN_E_VALUE", `--pack-size ${text}: expected a size such as 4MB, of 512MB at most, or 0`);
  return bytes;
}

/**
 * Returns the bytes of the option `--memory`, such as `4GB`, `512MiB` or `2g`; units are powers of 1,024. Throws if the
 * text is no size, or less than 512 MiB.
 */
export function parseMemory(text: string): number {
  const bytes = parseSize(text);
  if (bytes === undefined || bytes < LEAST_BYTES)
    throw new CodedError("CAIRN_E_VALUE", `--memory ${text}: expected a size such as 4GB, of 512MB at least`);
  return bytes;
}

/** Returns a quarter of the memory of this machine, or of its container, in bytes; at least 512 MiB. */
export function defaultMemory(): number {
  const allowed = process.constrainedMemory();
  return Math.max(LEAST_BYTES, Math.floor(Math.min(totalmem(), allowed > 0 ? allowed : totalmem()) / 4));
}

/** Returns how much of a memory limit DuckDB may use, in bytes: at least half. The rest is for Node. */
export function duckdbBytes(memoryBytes: number): number {
  return Math.max(memoryBytes / 2, Math.min(memoryBytes * MOST_FOR_DUCKDB, memoryBytes - BESIDE_DUCKDB_BYTES));
}

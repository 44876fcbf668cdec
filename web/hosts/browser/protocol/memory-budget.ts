/** Limits on memory by the memory of the device. Page and workers compute the same values. @module */
const MEBIBYTE = 1024 ** 2;

/** Memory of a small device in GiB. Chromium reports this value for all smaller ones too. */
const SMALL_GIBIBYTES = 2;

/**
 * Returns mebibytes by `navigator.deviceMemory`: `least` on a small device, four times as much for each doubling, at most `most`.
 * `most` where the browser does not report it.
 */
function byDevice(navigator: object, { least, most }: { readonly least: number; readonly most: number }): number {
  const gibibytes = "deviceMemory" in navigator ? Number(navigator.deviceMemory) : Number.POSITIVE_INFINITY;
  return Math.min(most, least * Math.max(1, gibibytes / SMALL_GIBIBYTES) ** 2);
}

/** Returns the maximum size of the engine's cache in bytes: 32 MiB on a small device to 512 MiB. */
export function memoryBudgetBytes(navigator: object): number {
  return byDevice(navigator, { least: 32, most: 512 }) * MEBIBYTE;
}

/** Maximum memory of the console's DuckDB in mebibytes: half of what a browser on a phone gives a page. */
export const MOST_OF_CONSOLE = 768;

/**
 * Returns the maximum memory of the console's DuckDB in mebibytes. If a statement needs more, DuckDB reports an error, and the
 * tab survives.
 */
export function consoleMebibytes(navigator: object): number {
  return byDevice(navigator, { least: 64, most: MOST_OF_CONSOLE });
}

/** What a statement may read at most: bytes and rows of partitions. */
export interface StatementBounds {
  readonly bytes: number;
  readonly rows: number;
}

/** Rows take eight times the bytes of their partitions in DuckDB: two thirds of the console's memory. */
const MOST_OF_STATEMENT: StatementBounds = { bytes: 64_000_000, rows: 500_000 };

/**
 * Returns what a statement may read at most on this device. A larger one is refused before it reads, because rows in transit use
 * memory that DuckDB does not count.
 */
export function statementBounds(navigator: object): StatementBounds {
  const part = consoleMebibytes(navigator) / MOST_OF_CONSOLE;
  return { bytes: Math.round(MOST_OF_STATEMENT.bytes * part), rows: Math.round(MOST_OF_STATEMENT.rows * part) };
}

/** Memory limits of the page's programs by device memory. Page and workers read the same value. @module */
const MEBIBYTE = 1024 ** 2;

/** GiB of a small device. Chromium reports this for all smaller ones. */
const SMALL_GIBIBYTES = 2;

/**
 * Mebibytes by `deviceMemory`: `least` on a small device, four times as much for each doubling, `most` where the
 * browser does not report it.
 */
function byDevice(navigator: object, { least, most }: { readonly least: number; readonly most: number }): number {
  const gibibytes = "deviceMemory" in navigator ? Number(navigator.deviceMemory) : Number.POSITIVE_INFINITY;
  return Math.min(most, least * Math.max(1, gibibytes / SMALL_GIBIBYTES) ** 2);
}

/**
 * Returns the bytes of the in-memory cache: a few hundred partitions of 2,048 rows, well below the limit of a page.
 * On a small device page and map use most of half a gibibyte.
 */
export function memoryBudgetBytes(navigator: object): number {
  return byDevice(navigator, { least: 32, most: 512 }) * MEBIBYTE;
}

/** Mebibytes: half of what a browser on a phone gives a page. */
export const MOST_OF_CONSOLE = 768;

/**
 * Returns the memory of the console's DuckDB in mebibytes. Above it DuckDB reports an error instead of the tab
 * failing.
 */
export function consoleMebibytes(navigator: object): number {
  return byDevice(navigator, { least: 64, most: MOST_OF_CONSOLE });
}

/** What a statement may read: bytes and rows of partitions. */
export interface StatementBounds {
  readonly bytes: number;
  readonly rows: number;
}

/** Rows take eight times the bytes of their partitions in DuckDB: two thirds of the console's memory. */
const MOST_OF_STATEMENT: StatementBounds = { bytes: 64_000_000, rows: 500_000 };

/**
 * Returns the limits of a statement. More is refused before it is read: rows in transit use memory that DuckDB does
 * not count.
 */
export function statementBounds(navigator: object): StatementBounds {
  const part = consoleMebibytes(navigator) / MOST_OF_CONSOLE;
  return { bytes: Math.round(MOST_OF_STATEMENT.bytes * part), rows: Math.round(MOST_OF_STATEMENT.rows * part) };
}

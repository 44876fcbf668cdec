/** What of a device's memory the page's programs may take; page and workers see the same device. @module */
const MEBIBYTE = 1024 ** 2;

/** GiB of a small device. Chromium tells this of all that have less. */
const SMALL_GIBIBYTES = 2;

/** Mebibytes by `deviceMemory`: the least on a small device, four times as much for twice the device, the most where the browser does not tell. */
function byDevice(navigator: object, { least, most }: { readonly least: number; readonly most: number }): number {
  const gibibytes = "deviceMemory" in navigator ? Number(navigator.deviceMemory) : Number.POSITIVE_INFINITY;
  return Math.min(most, least * Math.max(1, gibibytes / SMALL_GIBIBYTES) ** 2);
}

/**
 * Bytes of what was read in memory. At most a few hundred partitions of 2,048 rows, well below what a browser gives a page; on a small
 * device the page and its map take most of half a gibibyte.
 */
export function memoryBudgetBytes(navigator: object): number {
  return byDevice(navigator, { least: 32, most: 512 }) * MEBIBYTE;
}

/** Mebibytes; half of what a phone's browser gives a page. */
export const MOST_OF_CONSOLE = 768;

/** Mebibytes that the console's DuckDB may have: more ends in its own error rather than in the tab's. */
export function consoleMebibytes(navigator: object): number {
  return byDevice(navigator, { least: 64, most: MOST_OF_CONSOLE });
}

/** What a statement may read: bytes of partitions and their rows. */
export interface StatementBounds {
  readonly bytes: number;
  readonly rows: number;
}

/** Rows take eight times the bytes of their partitions in DuckDB: two thirds of the console's memory. */
const MOST_OF_STATEMENT: StatementBounds = { bytes: 64_000_000, rows: 500_000 };

/** More is refused before it is read: rows on their way are in memory too, where DuckDB counts nothing. */
export function statementBounds(navigator: object): StatementBounds {
  const part = consoleMebibytes(navigator) / MOST_OF_CONSOLE;
  return { bytes: Math.round(MOST_OF_STATEMENT.bytes * part), rows: Math.round(MOST_OF_STATEMENT.rows * part) };
}

/** A few hundred partitions of 2,048 rows, well below what a browser gives a page. */
const MOST_BYTES = 512 * 1024 * 1024;
/** Small devices run other things besides, and end a page that takes more than its part. */
const SHARE = 1 / 16;
const GIBIBYTE = 1024 ** 3;

/** Bytes of partitions in memory, by `deviceMemory`: GiB, a power of two; the most where the browser does not tell. */
export function memoryBudgetBytes(navigator: object): number {
  const gibibytes = "deviceMemory" in navigator ? Number(navigator.deviceMemory) : Number.POSITIVE_INFINITY;
  return Math.min(MOST_BYTES, gibibytes * GIBIBYTE * SHARE);
}

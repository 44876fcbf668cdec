/**
 * Order of ids, the same as in DuckDB and Parquet: by UTF-8 bytes.
 * @module
 */

/** Compares two strings by their UTF-8 bytes: negative, 0 or positive. */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // UTF-16 sorts surrogates before U+E000..U+FFFF, UTF-8 after them.
    const isXSurrogate = x >= 0xd800 && x <= 0xdfff;
    const isYSurrogate = y >= 0xd800 && y <= 0xdfff;
    if (isXSurrogate !== isYSurrogate) return isXSurrogate ? (y >= 0xe000 ? 1 : x - y) : x >= 0xe000 ? -1 : x - y;
    return x - y;
  }
  return a.length - b.length;
}

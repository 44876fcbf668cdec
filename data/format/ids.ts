/**
 * Order of ids, the same as in DuckDB and Parquet: by UTF-8 bytes.
 * @module
 */

/** Compares two texts by their UTF-8 bytes. Negative if `a` is before `b`, 0 if they are equal, otherwise positive. */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return byteOrderOf(x) - byteOrderOf(y);
  }
  return a.length - b.length;
}

/** UTF-16 sorts surrogates before U+E000..U+FFFF, UTF-8 after them. */
function byteOrderOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

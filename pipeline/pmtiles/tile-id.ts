/** The tile's number in an archive: zoom after zoom, in each along a Hilbert curve. */
export function tileIdOf(z: number, x: number, y: number): number {
  const side = 2 ** z;
  let id = (side * side - 1) / 3;
  let [column, row] = [x, y];
  for (let half = side / 2; half >= 1; half /= 2) {
    const isEast = Math.floor(column / half) % 2 === 1;
    const isSouth = Math.floor(row / half) % 2 === 1;
    id += half * half * (isEast ? (isSouth ? 2 : 3) : isSouth ? 1 : 0);
    if (isSouth) continue;
    [column, row] = isEast ? [side - 1 - row, side - 1 - column] : [row, column];
  }
  return id;
}

/**
 * How far from the point a page of rows will likely reach.
 * @module
 */

/** Rows that lie between two distances, in a box of an area. */
export interface Supply {
  readonly rows: number;
  readonly nearMeters: number;
  readonly farMeters: number;
  readonly squareMeters: number;
}

/** Halvings of the interval: from half the earth to a centimetre. */
const HALVINGS = 32;

/**
 * An estimate of the distance within which `rows` rows lie, if the rows of each supply are spread evenly over its box and the
 * disc covers a sector of that box. It decides only what is read in one round trip: what turns out to be missing is read
 * afterwards. Infinity when there are not enough rows.
 */
export function estimateReach(supplies: readonly Supply[], rows: number): number {
  const supplied = supplies.reduce((sum, supply) => sum + supply.rows, 0);
  if (supplied <= rows) return Number.POSITIVE_INFINITY;
  let low = 0;
  let high = supplies.reduce((most, { farMeters }) => Math.max(most, farMeters), 0);
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    const expected = supplies.reduce((sum, supply) => sum + supply.rows * shareWithin(supply, middle), 0);
    if (expected < rows) low = middle;
    else high = middle;
  }
  return high;
}

function shareWithin({ nearMeters, farMeters, squareMeters }: Supply, meters: number): number {
  if (meters >= farMeters) return 1;
  if (meters <= nearMeters) return 0;
  const seenAngle = 2 * Math.atan(Math.sqrt(squareMeters) / (nearMeters + farMeters));
  // generous: measured with the angle itself, more files were read in vain
  const angle = nearMeters === 0 ? Math.PI : Math.min(Math.PI, 2 * seenAngle);
  const sectorSquareMeters = (angle / 2) * (meters * meters - nearMeters * nearMeters);
  return Math.min(1, sectorSquareMeters / squareMeters);
}

/** Countries are looked at in batches, so that memory does not grow with the dataset. @module */
const BATCH_ROWS = 250_000;

/** Countries in groups of about `mostRows` rows; a larger country is alone. */
export function batchCountries(
  countries: readonly (readonly [country: string, rows: number])[],
  mostRows: number = BATCH_ROWS,
): ReadonlySet<string>[] {
  const batches: Set<string>[] = [];
  let room = 0;
  for (const [country, rows] of countries) {
    const batch = batches.at(-1);
    if (batch && rows <= room) {
      batch.add(country);
      room -= rows;
    } else {
      batches.push(new Set([country]));
      room = mostRows - rows;
    }
  }
  return batches;
}

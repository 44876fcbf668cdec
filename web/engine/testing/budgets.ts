/**
 * Limits on cost that does not depend on the machine, all in this file. Each is slightly above the current cost;
 * raise one only with a reason, in the commit that needs it.
 * @module
 */

/** Limits of a search without cached data, over the sample. */
export interface SearchBudget {
  /** Includes the manifest. */
  readonly requests: number;
  /** Of all files, as stored on the host. */
  readonly bytes: number;
  /** Batches of requests that depend on an earlier answer. */
  readonly roundTrips: number;
  /** Rows measured in a circle, otherwise rows of the page. */
  readonly rows: number;
  readonly statements: number;
}

const budget = (
  requests: number,
  bytes: number,
  roundTrips: number,
  rows: number,
  statements: number,
): SearchBudget => ({ requests, bytes, roundTrips, rows, statements });

/**
 * By query and collection. A request costs as much as 20 KB, so a page of 25 scattered rows is a slice of the primary copy or a few
 * joined ranges of records: more bytes, and a quarter of the requests. See docs/decisions/30-cost-of-a-request.md.
 */
export const SEARCH_BUDGETS = {
  "300 m, dense": {
    place: budget(4, 309_000, 3, 1870, 1),
    building: budget(4, 299_000, 3, 2540, 1),
    segment: budget(7, 331_000, 4, 1110, 1),
  },
  "1 km, dense": {
    place: budget(7, 330_000, 3, 3480, 1),
    building: budget(11, 511_000, 3, 9280, 1),
    segment: budget(13, 448_000, 4, 5080, 1),
  },
  "10 km, dense": {
    place: budget(3, 304_000, 3, 1510, 1),
    building: budget(4, 299_000, 3, 2540, 1),
    segment: budget(10, 447_000, 4, 3950, 1),
  },
  "50 km, dense": {
    place: budget(3, 304_000, 3, 1510, 1),
    building: budget(4, 299_000, 3, 2540, 1),
    segment: budget(7, 331_000, 4, 1110, 1),
  },
  "50 km, 1,000 rows": {
    place: budget(7, 383_000, 3, 2670, 1),
    building: budget(10, 560_000, 3, 4600, 1),
    segment: budget(19, 845_000, 4, 4850, 1),
  },
  "50 km, 25,000 rows": {
    place: budget(13, 674_000, 3, 3550, 1),
    building: budget(14, 1_247_000, 3, 9700, 1),
    segment: budget(42, 4_948_000, 4, 22_050, 1),
  },
  "1 km, page 40": {
    place: budget(8, 395_000, 3, 3480, 1),
    building: budget(12, 703_000, 3, 9280, 1),
    segment: budget(36, 316_000, 4, 5080, 1),
  },
  "2 km, empty": {
    place: budget(1, 81_000, 1, 0, 1),
    building: budget(1, 81_000, 1, 0, 1),
    segment: budget(5, 199_000, 4, 400, 1),
  },
  "country, page 0": {
    place: budget(4, 96_000, 3, 25, 0),
    building: budget(4, 95_000, 3, 25, 0),
    segment: budget(4, 99_000, 3, 25, 0),
  },
  "country, page 100": {
    place: budget(4, 96_000, 3, 25, 0),
    building: budget(4, 95_000, 3, 25, 0),
    segment: budget(4, 99_000, 3, 25, 0),
  },
  "country and name": {
    place: budget(8, 326_000, 3, 25, 0),
    building: budget(4, 103_000, 3, 1, 0),
    segment: budget(16, 246_000, 3, 25, 0),
  },
  "country and two words": {
    place: budget(6, 234_000, 4, 25, 0),
    division: budget(7, 263_000, 6, 25, 0),
    segment: budget(8, 262_000, 3, 25, 0),
  },
  "three letters": {
    place: budget(4, 150_000, 3, 25, 0),
    segment: budget(9, 246_000, 3, 25, 0),
  },
  "name in 1 km": {
    place: budget(9, 412_000, 4, 3480, 1),
  },
} as const;

/** Bytes of a first visit as sent: compressed where the host compresses. Without the base map. */
export const FIRST_VISIT_BYTES = { untilAnswer: 910_000, whole: 3_300_000 } as const;

/** All scripts of the page, compressed with gzip: with English and the longest of the other languages. */
export const PAGE_SCRIPT_BYTES = 449_000;

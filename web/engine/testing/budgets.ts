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
 * By query and collection. Rows are read after their numbers are known, in a separate round trip; 25 scattered rows
 * are 25 small requests; a page that takes all of a partition also reads its points, up to a sixth of its bytes.
 */
export const SEARCH_BUDGETS = {
  "300 m, dense": {
    place: budget(26, 155_000, 3, 1870, 1),
    building: budget(25, 215_000, 3, 2540, 1),
    segment: budget(31, 200_000, 4, 1110, 1),
  },
  "1 km, dense": {
    place: budget(29, 177_000, 3, 3480, 1),
    building: budget(32, 427_000, 3, 9280, 1),
    segment: budget(37, 316_000, 4, 5080, 1),
  },
  "10 km, dense": {
    place: budget(25, 151_000, 3, 1510, 1),
    building: budget(25, 215_000, 3, 2540, 1),
    segment: budget(34, 314_000, 4, 3950, 1),
  },
  "50 km, dense": {
    place: budget(25, 151_000, 3, 1510, 1),
    building: budget(25, 215_000, 3, 2540, 1),
    segment: budget(31, 200_000, 4, 1110, 1),
  },
  "50 km, 1,000 rows": {
    place: budget(7, 383_000, 3, 2670, 1),
    building: budget(10, 825_000, 3, 4600, 1),
    segment: budget(15, 1_006_000, 4, 4850, 1),
  },
  "50 km, 25,000 rows": {
    place: budget(14, 674_000, 3, 3550, 1),
    building: budget(16, 1_247_000, 3, 9700, 1),
    segment: budget(69, 5_409_000, 4, 22_050, 1),
  },
  "1 km, page 40": {
    place: budget(31, 179_000, 3, 3480, 1),
    building: budget(34, 429_000, 3, 9280, 1),
    segment: budget(37, 316_000, 4, 5080, 1),
  },
  "2 km, empty": {
    place: budget(1, 81_000, 1, 0, 1),
    building: budget(1, 81_000, 1, 0, 1),
    segment: budget(15, 150_000, 4, 400, 1),
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
    place: budget(27, 153_000, 3, 25, 0),
    building: budget(4, 103_000, 3, 1, 0),
    segment: budget(26, 160_000, 3, 25, 0),
  },
  "country and two words": {
    place: budget(17, 189_000, 4, 25, 0),
    division: budget(23, 176_000, 7, 25, 0),
    segment: budget(22, 156_000, 3, 25, 0),
  },
  "three letters": {
    place: budget(6, 145_000, 3, 25, 0),
    segment: budget(22, 158_000, 3, 25, 0),
  },
  "name in 1 km": {
    place: budget(30, 196_000, 4, 3480, 1),
  },
} as const;

/** Bytes of a first visit, as sent, without the base map. */
export const FIRST_VISIT_BYTES = { untilAnswer: 910_000, whole: 3_200_000 } as const;

/** The page's own scripts together, compressed with gzip: with English, and with the longest other language. */
export const PAGE_SCRIPT_BYTES = 449_000;

/**
 * What nothing may cost more than, in what machines cannot blur: the one place where such limits stand. Each is a little
 * above what it costs today; raise one only with a reason, in the commit that needs it.
 * @module
 */

/** What a search may cost with nothing in memory, over the sample. */
export interface SearchBudget {
  /** The manifest's is one of them. */
  readonly requests: number;
  /** Of all files, as the host stores them. */
  readonly bytes: number;
  /** Batches of requests that wait for an earlier one. */
  readonly roundTrips: number;
  /** Decoded, of partitions. */
  readonly rows: number;
  /** Statements of the `sql` executor. */
  readonly statements: number;
}

const budget = (
  requests: number,
  bytes: number,
  roundTrips: number,
  rows: number,
  statements: number,
): SearchBudget => ({ requests, bytes, roundTrips, rows, statements });

/** By question and collection. */
export const SEARCH_BUDGETS = {
  "300 m, dense": {
    place: budget(3, 310_000, 2, 1550, 1),
    building: budget(3, 267_000, 2, 1050, 1),
    segment: budget(4, 505_000, 3, 1160, 1),
  },
  "1 km, dense": {
    place: budget(6, 328_000, 2, 1550, 1),
    building: budget(10, 479_000, 2, 1050, 1),
    segment: budget(10, 620_000, 3, 1160, 1),
  },
  "10 km, dense": {
    place: budget(3, 310_000, 2, 1550, 1),
    building: budget(3, 267_000, 2, 1050, 1),
    segment: budget(7, 620_000, 3, 1160, 1),
  },
  "50 km, dense": {
    place: budget(3, 310_000, 2, 1550, 1),
    building: budget(3, 267_000, 2, 1050, 1),
    segment: budget(4, 505_000, 3, 1160, 1),
  },
  "50 km, 1,000 rows": {
    place: budget(5, 388_000, 2, 1960, 1),
    building: budget(7, 816_000, 4, 4800, 1),
    segment: budget(10, 1_023_000, 4, 3380, 1),
  },
  "50 km, 25,000 rows": {
    place: budget(7, 710_000, 2, 3730, 1),
    building: budget(12, 1_549_000, 2, 10_190, 1),
    segment: budget(35, 5_607_000, 3, 23_150, 1),
  },
  "1 km, page 40": {
    place: budget(6, 399_000, 2, 1960, 1),
    building: budget(10, 647_000, 2, 2660, 1),
    segment: budget(11, 1_056_000, 4, 3380, 1),
  },
  "2 km, empty": {
    place: budget(1, 66_000, 1, 0, 0),
    building: budget(1, 66_000, 1, 0, 0),
    segment: budget(5, 210_000, 4, 240, 1),
  },
  "country, page 0": {
    place: budget(2, 228_000, 2, 920, 1),
    building: budget(2, 258_000, 2, 1250, 1),
    segment: budget(3, 306_000, 3, 730, 1),
  },
  "country, page 100": {
    place: budget(2, 228_000, 2, 920, 1),
    building: budget(2, 266_000, 2, 1300, 1),
    segment: budget(3, 297_000, 3, 730, 1),
  },
  "country and name": {
    place: budget(3, 178_000, 3, 540, 1),
    building: budget(2, 167_000, 2, 530, 1),
    segment: budget(3, 264_000, 3, 520, 1),
  },
  "country and two words": {
    place: budget(9, 990_000, 4, 5210, 1),
    division: budget(6, 565_000, 6, 4130, 1),
    segment: budget(11, 1_495_000, 4, 3750, 1),
  },
} as const;

/** Bytes of a first visit, as sent: compressed where the host compresses. The ground of the map is not among them. */
export const FIRST_VISIT_BYTES = { untilAnswer: 2_500_000, whole: 3_500_000 } as const;

/** The page's own scripts together, compressed with gzip: words in six languages among them, of which a visitor loads one or two. */
export const PAGE_SCRIPT_BYTES = 470_000;

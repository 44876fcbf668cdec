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
 * By query and collection. A request costs as much as 20 KB, see docs/decisions/30-cost-of-a-request.md. Rows of a
 * circle are near each other in the records. Rows in the order of ids are not: a page is some joined ranges of records.
 * The manifest is about 92 KB.
 */
export const SEARCH_BUDGETS = {
  "300 m, dense": {
    place: budget(5, 131_000, 3, 1870, 1),
    building: budget(5, 205_000, 3, 2540, 1),
    segment: budget(8, 181_000, 4, 1110, 1),
  },
  "1 km, dense": {
    place: budget(8, 152_000, 3, 3480, 1),
    building: budget(12, 415_000, 3, 9280, 1),
    segment: budget(14, 295_000, 4, 5080, 1),
  },
  "1 km, 1,000 rows": {
    place: budget(9, 337_000, 3, 3480, 1),
    building: budget(15, 518_000, 3, 9280, 1),
    segment: budget(17, 548_000, 4, 5080, 1),
  },
  "10 km, dense": {
    place: budget(4, 126_000, 3, 1510, 1),
    building: budget(5, 205_000, 3, 2540, 1),
    segment: budget(11, 295_000, 4, 3950, 1),
  },
  "50 km, dense": {
    place: budget(4, 126_000, 3, 1510, 1),
    building: budget(5, 205_000, 3, 2540, 1),
    segment: budget(8, 181_000, 4, 1110, 1),
  },
  "50 km, 1,000 rows": {
    place: budget(8, 327_000, 3, 2670, 1),
    building: budget(10, 372_000, 3, 4600, 1),
    segment: budget(16, 537_000, 4, 4850, 1),
  },
  "50 km, 25,000 rows": {
    place: budget(9, 748_000, 3, 3550, 1),
    building: budget(14, 1_190_000, 3, 9700, 1),
    segment: budget(40, 4_260_000, 4, 22_050, 1),
  },
  "1 km, page 40": {
    place: budget(10, 195_000, 3, 3480, 1),
    building: budget(13, 504_000, 3, 9280, 1),
    segment: budget(19, 361_000, 4, 5080, 1),
  },
  "1 km, sparse": {
    place: budget(5, 131_000, 3, 1870, 1),
  },
  "2 km, empty": {
    place: budget(1, 93_000, 1, 0, 1),
    building: budget(1, 93_000, 1, 0, 1),
    segment: budget(6, 153_000, 4, 400, 1),
  },
  "country, page 0": {
    place: budget(14, 261_000, 3, 25, 0),
    building: budget(19, 227_000, 3, 25, 0),
    segment: budget(23, 200_000, 3, 25, 0),
  },
  "country, page 100": {
    place: budget(10, 267_000, 3, 25, 0),
    building: budget(16, 258_000, 3, 25, 0),
    segment: budget(27, 153_000, 3, 25, 0),
  },
  "country and name": {
    place: budget(13, 256_000, 4, 25, 0),
    building: budget(5, 115_000, 4, 1, 0),
    segment: budget(15, 251_000, 4, 25, 0),
  },
  "country and two words": {
    place: budget(14, 300_000, 5, 25, 0),
    division: budget(10, 312_000, 7, 25, 0),
    segment: budget(22, 211_000, 4, 25, 0),
  },
  "three letters": {
    place: budget(13, 271_000, 4, 25, 0),
    segment: budget(22, 211_000, 4, 25, 0),
  },
  "name in 1 km": {
    place: budget(13, 275_000, 4, 3480, 1),
  },
} as const;

/** Bytes of a first visit as sent: compressed where the host compresses. Without the base map. */
export const FIRST_VISIT_BYTES = { untilAnswer: 910_000, whole: 3_300_000 } as const;

/** All scripts of the page, compressed with gzip: with English and the longest of the other languages. */
export const PAGE_SCRIPT_BYTES = 453_000;

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
 * The manifest is about 105 KB.
 */
export const SEARCH_BUDGETS = {
  "300 m, dense": {
    place: budget(5, 144_000, 3, 1870, 1),
    building: budget(5, 218_000, 3, 2540, 1),
    segment: budget(8, 194_000, 4, 1110, 1),
  },
  "1 km, dense": {
    place: budget(8, 165_000, 3, 3480, 1),
    building: budget(12, 428_000, 3, 9280, 1),
    segment: budget(14, 308_000, 4, 5080, 1),
  },
  "1 km, 1,000 rows": {
    place: budget(9, 350_000, 3, 3480, 1),
    building: budget(15, 531_000, 3, 9280, 1),
    segment: budget(17, 561_000, 4, 5080, 1),
  },
  "10 km, dense": {
    place: budget(4, 139_000, 3, 1510, 1),
    building: budget(5, 218_000, 3, 2540, 1),
    segment: budget(11, 308_000, 4, 3950, 1),
  },
  "50 km, dense": {
    place: budget(4, 139_000, 3, 1510, 1),
    building: budget(5, 218_000, 3, 2540, 1),
    segment: budget(8, 194_000, 4, 1110, 1),
  },
  "50 km, 1,000 rows": {
    place: budget(8, 340_000, 3, 2670, 1),
    building: budget(10, 385_000, 3, 4600, 1),
    segment: budget(16, 550_000, 4, 4850, 1),
  },
  "50 km, 25,000 rows": {
    place: budget(9, 761_000, 3, 3550, 1),
    building: budget(14, 1_203_000, 3, 9700, 1),
    segment: budget(40, 4_273_000, 4, 22_050, 1),
  },
  "1 km, page 40": {
    place: budget(10, 208_000, 3, 3480, 1),
    building: budget(13, 517_000, 3, 9280, 1),
    segment: budget(19, 374_000, 4, 5080, 1),
  },
  "1 km, sparse": {
    place: budget(5, 144_000, 3, 1870, 1),
  },
  "2 km, empty": {
    place: budget(1, 106_000, 1, 0, 1),
    building: budget(1, 106_000, 1, 0, 1),
    segment: budget(6, 166_000, 4, 400, 1),
  },
  "country, page 0": {
    place: budget(14, 274_000, 3, 25, 0),
    building: budget(19, 240_000, 3, 25, 0),
    segment: budget(23, 213_000, 3, 25, 0),
  },
  "country, page 100": {
    place: budget(10, 280_000, 3, 25, 0),
    building: budget(16, 271_000, 3, 25, 0),
    segment: budget(27, 166_000, 3, 25, 0),
  },
  "country and name": {
    place: budget(13, 269_000, 4, 25, 0),
    building: budget(5, 128_000, 4, 1, 0),
    segment: budget(15, 264_000, 4, 25, 0),
  },
  "country and two words": {
    place: budget(14, 313_000, 5, 25, 0),
    division: budget(10, 325_000, 7, 25, 0),
    segment: budget(22, 224_000, 4, 25, 0),
  },
  "three letters": {
    place: budget(13, 284_000, 4, 25, 0),
    segment: budget(22, 224_000, 4, 25, 0),
  },
  "name in 1 km": {
    place: budget(13, 288_000, 4, 3480, 1),
  },
} as const;

/** Bytes of a first visit as sent: compressed where the host compresses. Without the base map. */
export const FIRST_VISIT_BYTES = { untilAnswer: 910_000, whole: 3_300_000 } as const;

/** All scripts of the page, compressed with gzip: with English and the longest of the other languages. */
export const PAGE_SCRIPT_BYTES = 453_000;

/**
 * Limits on cost that does not depend on the machine, all in this file. Each is slightly above the current cost;
 * raise one only with a reason, in the commit that needs it.
 * @module
 */

/** Limits of a search without cached data, over the sample. */
export interface SearchBudget {
  /** As a host sends them: near ranges are joined. Includes the manifest. */
  readonly requests: number;
  /** Of all files, as stored on the host, without gaps of joined ranges. */
  readonly bytes: number;
  /** Batches of requests that depend on an earlier answer. */
  readonly roundTrips: number;
  /** Rows measured in a circle, otherwise rows of the page. */
  readonly rows: number;
}

const budget = (requests: number, bytes: number, roundTrips: number, rows: number): SearchBudget => ({
  requests,
  bytes,
  roundTrips,
  rows,
});

/**
 * By query and collection. A request costs as much as 20 KB, see docs/decisions/30-cost-of-a-request.md. Rows of a
 * circle are near each other in the records. Rows in the order of ids are not: a page is some joined ranges of records.
 * The manifest is about 116 KB.
 */
export const SEARCH_BUDGETS = {
  "300 m, dense": {
    place: budget(5, 146_000, 3, 1870),
    building: budget(5, 217_000, 3, 2540),
    segment: budget(9, 184_000, 4, 1000),
  },
  "1 km, dense": {
    place: budget(8, 160_000, 3, 3480),
    building: budget(12, 397_000, 3, 9280),
    segment: budget(11, 231_000, 4, 2850),
  },
  "1 km, 1,000 rows": {
    place: budget(9, 342_000, 3, 3480),
    building: budget(15, 500_000, 3, 9280),
    segment: budget(14, 561_000, 4, 5080),
  },
  "10 km, dense": {
    place: budget(4, 143_000, 3, 1510),
    building: budget(5, 217_000, 3, 2540),
    segment: budget(10, 263_000, 4, 2800),
  },
  "50 km, dense": {
    place: budget(4, 143_000, 3, 1510),
    building: budget(5, 217_000, 3, 2540),
    segment: budget(9, 180_000, 4, 870),
  },
  "50 km, 1,000 rows": {
    place: budget(8, 336_000, 3, 2670),
    building: budget(10, 373_000, 3, 4600),
    segment: budget(13, 551_000, 4, 4850),
  },
  "50 km, 25,000 rows": {
    place: budget(9, 743_000, 3, 3550),
    building: budget(14, 1_165_000, 3, 9700),
    segment: budget(9, 4_217_000, 4, 22_050),
  },
  "1 km, page 40": {
    place: budget(10, 201_000, 3, 3480),
    building: budget(13, 485_000, 3, 9280),
    segment: budget(17, 297_000, 4, 2850),
  },
  "1 km, sparse": {
    place: budget(5, 144_000, 3, 1870),
  },
  "2 km, empty": {
    place: budget(1, 117_000, 1, 0),
    building: budget(1, 117_000, 1, 0),
    segment: budget(5, 142_000, 4, 150),
  },
  "country, page 0": {
    place: budget(14, 281_000, 3, 25),
    building: budget(19, 248_000, 3, 25),
    segment: budget(23, 223_000, 3, 25),
  },
  "country, page 100": {
    place: budget(10, 285_000, 3, 25),
    building: budget(16, 280_000, 3, 25),
    segment: budget(27, 176_000, 3, 25),
  },
  "country and name": {
    place: budget(13, 270_000, 4, 25),
    building: budget(5, 132_000, 4, 1),
    segment: budget(15, 260_000, 4, 25),
  },
  "country and two words": {
    place: budget(15, 281_000, 5, 25),
    division: budget(10, 315_000, 7, 25),
    segment: budget(24, 239_000, 5, 25),
  },
  "three letters": {
    place: budget(13, 268_000, 4, 25),
    segment: budget(22, 222_000, 4, 25),
  },
  "name in 1 km": {
    place: budget(13, 295_000, 4, 3480),
  },
} as const;

/** Bytes of a first visit as sent: compressed where the host compresses. `whole` is without those of `map`. */
export const FIRST_VISIT_BYTES = { untilAnswer: 910_000, whole: 3_270_000, map: 4_300_000 } as const;

/** All scripts of the page, compressed with gzip: with English and the longest of the other languages. 450 KiB. */
export const PAGE_SCRIPT_BYTES = 460_800;

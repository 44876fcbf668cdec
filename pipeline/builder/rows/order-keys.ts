/**
 * Order keys: the keys by which runs are sorted, as one integer of country, size class, and 50 bits of geohash or id.
 * @module
 */
import { GEOHASH_BITS } from "../../../data/format/geohash.ts";

/** Columns that scanned rows have besides the collection's. */
export const KEY_COLUMNS = ["_country", "_size_class", "_geohash", "_kind", "_location", "_ident", "_row"] as const;

/** Runs that are cut by counts of their rows. `records` is cut like `location`. */
export const CUT_RUNS = ["location", "ids"] as const;
export type CutRun = (typeof CUT_RUNS)[number];

/** The column with the order key of each run. Rows with the same key are sorted by id. */
export const ORDER_COLUMN = { location: "_location", ids: "_ident" } as const satisfies Record<CutRun, string>;

const ID_DIGITS = 12;
const BITS_A_DIGIT = 4;

const SIZE_CLASSES = 4;
const FIRST_LETTER = 65;
const LETTERS = 26;

/** Returns a SQL expression of an order key from expressions of its parts. The country has two letters, A to Z. */
export function orderKeySql(country: string, sizeClass: string, key: string): string {
  const number = `((ascii(${country}) - ${FIRST_LETTER}) * ${LETTERS} + ascii(substr(${country}, 2)) - ${FIRST_LETTER})`;
  return `(((${number} * ${SIZE_CLASSES} + ${sizeClass})::BIGINT << ${GEOHASH_BITS}) + ${key})`;
}

/** Returns the order key that `orderKeySql` computes. `key` has 50 bits. */
export function orderKey(country: string, sizeClass: number, key: number): bigint {
  const [first, second] = [0, 1].map((i) => country.charCodeAt(i) - FIRST_LETTER) as [number, number];
  const group = (first * LETTERS + second) * SIZE_CLASSES + sizeClass;
  return (BigInt(group) << BigInt(GEOHASH_BITS)) + BigInt(key);
}

/** Returns the country of an order key, given the key without its lowest `GEOHASH_BITS` bits. */
export function countryOfOrder(group: number): string {
  const number = Math.floor(group / SIZE_CLASSES);
  return String.fromCharCode(FIRST_LETTER + Math.floor(number / LETTERS), FIRST_LETTER + (number % LETTERS));
}

/** Returns the lowest number above all order keys of a country. */
export function endOfCountry(country: string): bigint {
  return orderKey(country, SIZE_CLASSES, 0);
}

/**
 * Returns a SQL expression of an id as an integer of 50 bits in the order of ids, from its first 12 hexadecimal digits.
 * From the first other character on, all digits count as the lowest or the highest.
 */
export function idKeySql(id: string): string {
  const digits = `regexp_extract(${id}, '^[0-9a-f]{0,${ID_DIGITS}}')`;
  const next = `substr(${id}, length(${digits}) + 1, 1)`;
  const padded = `CASE
    WHEN ${next} < '0' OR length(${digits}) = ${ID_DIGITS} THEN rpad(${digits}, ${ID_DIGITS}, '0')
    WHEN ${next} > 'f' THEN rpad(${digits}, ${ID_DIGITS}, 'f')
    ELSE rpad(${digits} || '9', ${ID_DIGITS}, 'f') END`;
  return `(('0x' || ${padded})::BIGINT << ${GEOHASH_BITS - ID_DIGITS * BITS_A_DIGIT})`;
}

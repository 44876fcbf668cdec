/**
 * The stored form of slices of the run `suggest`. A division with several terms in a slice is stored once: its first
 * row has its columns, further rows have in `again` how many different divisions before it was.
 *
 * @module
 */
import type { Table, TableValue } from "./tables.ts";

/** Columns that depend on the division only, not on the term. */
const OF_DIVISION = ["id", "country", "names", "detail", "subtype", "population", "point", "bbox"] as const;

/** Columns of a suggestion in memory: the term, the names that it finds, and the columns of its division. */
export const SUGGEST_COLUMNS = ["term", "found", ...OF_DIVISION] as const;

/** Columns of a slice in stored form. */
export const STORED_SUGGEST_COLUMNS = ["term", "again", "found", ...OF_DIVISION] as const;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The hexadecimal digits of a UUID. Base64 has two more bits, which are zero. */
const PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})0$/;
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_CHARS = 22;
/** Prefix of an id that is not a UUID. Base64 never starts with it. */
const WHOLE = "=";

/** Returns a table with the columns `SUGGEST_COLUMNS` in stored form, with as many rows. */
export function packSuggestions(table: Table): Table {
  const rows = table.term?.length ?? 0;
  const stored: Record<string, TableValue[]> = Object.fromEntries(STORED_SUGGEST_COLUMNS.map((name) => [name, []]));
  const known = new Map<string, number>();
  for (let row = 0; row < rows; row++) {
    const at = (name: string): TableValue => table[name]?.[row] ?? null;
    const shared = OF_DIVISION.map(at);
    const key = JSON.stringify(shared);
    const earlier = known.get(key);
    if (earlier === undefined) known.set(key, known.size);
    stored.term?.push(at("term"));
    stored.again?.push(earlier === undefined ? 0 : known.size - earlier);
    stored.found?.push(isSame(at("found"), nameAlone(at("names"))) ? null : at("found"));
    for (const [index, name] of OF_DIVISION.entries()) {
      stored[name]?.push(earlier === undefined ? short(name, shared[index] ?? null, at("point")) : null);
    }
  }
  return stored;
}

/**
 * Returns the table with the columns `SUGGEST_COLUMNS` of one in stored form. Throws if a value of `again` or an id is
 * invalid.
 */
export function unpackSuggestions(stored: Table): Table {
  const rows = stored.term?.length ?? 0;
  const table: Record<string, TableValue[]> = Object.fromEntries(SUGGEST_COLUMNS.map((name) => [name, []]));
  /** The first row of each division. */
  const firsts: number[] = [];
  for (let row = 0; row < rows; row++) {
    const again = stored.again?.[row] ?? null;
    if (again === 0) firsts.push(row);
    const first = typeof again === "number" ? firsts[firsts.length - (again || 1)] : undefined;
    if (first === undefined) {
      throw new Error(`row ${row} has the division ${JSON.stringify(again)} before, expected 0 to ${firsts.length}`);
    }
    const at = (name: string): TableValue => stored[name]?.[first] ?? null;
    table.term?.push(stored.term?.[row] ?? null);
    table.found?.push(stored.found?.[row] ?? nameAlone(at("names")));
    for (const name of OF_DIVISION) table[name]?.push(long(name, at(name), at("point")));
  }
  return table;
}

function short(name: string, value: TableValue, point: TableValue): TableValue {
  if (name === "id" && typeof value === "string") return UUID.test(value) ? base64Of(value) : `${WHOLE}${value}`;
  return name === "bbox" && isSame(value, boxAt(point)) ? null : value;
}

function long(name: string, value: TableValue, point: TableValue): TableValue {
  if (name === "id" && typeof value === "string") return value.startsWith(WHOLE) ? value.slice(1) : uuidOf(value);
  return name === "bbox" ? (value ?? boxAt(point)) : value;
}

/** The box of a division that is a point. */
function boxAt(point: TableValue): TableValue {
  return Array.isArray(point) ? [...point, ...point] : null;
}

/** The name by which most terms of a division find it. */
function nameAlone(names: TableValue): TableValue {
  const primary = typeof names === "object" && names && "primary" in names ? names.primary : undefined;
  return primary === undefined ? [] : [primary];
}

function isSame(a: TableValue, b: TableValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The UUID's bytes in base64 without padding: two characters for three digits. */
function base64Of(uuid: string): string {
  const digits = `${uuid.replaceAll("-", "")}0`.match(/.../g) ?? [];
  return digits
    .map((three) => Number.parseInt(three, 16))
    .map((bits) => `${BASE64[bits >> 6]}${BASE64[bits & 63]}`)
    .join("");
}

function uuidOf(base64: string): string {
  const pairs = base64.match(/../g) ?? [];
  const digits = pairs.map((pair) => {
    const [high, low] = [...pair].map((char) => BASE64.indexOf(char)) as [number, number];
    return ((high << 6) | low).toString(16).padStart(3, "0");
  });
  const uuid = digits.join("").replace(PARTS, "$1-$2-$3-$4-$5");
  if (base64.length !== BASE64_CHARS || !UUID.test(uuid)) {
    throw new Error(`${JSON.stringify(base64)} is no id: expected 16 bytes in base64`);
  }
  return uuid;
}

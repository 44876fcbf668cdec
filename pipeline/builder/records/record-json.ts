/**
 * Makes the JSON of a record from the columns of a row.
 * @module
 */
import type { Collection } from "../../../data/format/collections.ts";
import { quoteIdentifier } from "../../base/database/index.ts";

const APART = new Set(["geometry", "bbox"]);

/**
 * Returns a SQL expression of the JSON text of a row: its columns without `geometry` and `bbox`. NaN and infinities are
 * written by name, which JSON does not allow; `parseRow` reads them.
 */
export function rowJsonSql({ columns }: Pick<Collection, "columns">): string {
  const members = columns.filter(({ name }) => !APART.has(name)).map(({ name }) => quoteIdentifier(name));
  return `to_json(struct_pack(${members.map((name) => `${name} := ${name}`).join(", ")}))::VARCHAR`;
}

/** Returns a SQL expression of a 128-bit hash of a row: all columns except `bbox`, which depends on the geometry. */
export function rowHashSql(collection: Collection): string {
  return `md5_number(${rowJsonSql(collection)} || md5(geometry))`;
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

/**
 * Returns the object of a row, given the text of `rowJsonSql`. Members with null are removed. NaN and infinities become
 * Infinity, which JSON text has as null.
 */
export function parseRow(text: string): JsonObject {
  return tidied(parse(text)) as JsonObject;
}

const NAMED_NUMBERS = /"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)/g;

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    const plain = text.replace(NAMED_NUMBERS, (part) => (part.startsWith('"') ? part : "1e999"));
    return JSON.parse(plain) as Json;
  }
}

/**
 * Changes lists in place, and copies objects with null members, because deleting members is slow. Infinity stays: JSON
 * text has null for it.
 */
function tidied(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = tidied(item);
    return value;
  }
  let hasNull = false;
  for (const name in value) {
    const member = value[name] as Json;
    if (member === null) hasNull = true;
    else if (typeof member === "object") value[name] = tidied(member);
  }
  return hasNull ? withoutNulls(value) : value;
}

function withoutNulls(value: { readonly [name: string]: Json }): Json {
  const left: { [name: string]: Json } = {};
  for (const name in value) {
    const member = value[name] as Json;
    if (member === null) continue;
    // A map may have this key.
    if (name === "__proto__") Object.defineProperty(left, name, { value: member, enumerable: true });
    else left[name] = member;
  }
  return left;
}

/**
 * Returns the JSON of a record, given the text of `rowJsonSql`. Both are UTF-8. The result is what
 * `JSON.stringify(parseRow(text))` gives.
 */
export function recordJson(text: Uint8Array): Uint8Array {
  return withoutNullMembers(text) ?? Buffer.from(JSON.stringify(parseRow(Buffer.from(text).toString())));
}

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, POINT] = [
  code('"'),
  code("\\"),
  code(","),
  code(":"),
  code("-"),
  code("."),
];
const [ZERO, NINE, NULL, NOT_A_NUMBER, INFINITY] = [code("0"), code("9"), code("n"), code("N"), code("I")];
/** Escapes that both write. */
const ESCAPES: ReadonlySet<number | undefined> = new Set([...'"\\bfnrt'].map(code));
/** Exponents, and the rest of `-Infinity`. */
const MAY_CONTINUE: ReadonlySet<number | undefined> = new Set([..."eEI"].map(code));
/** All whole numbers with so many digits are exact. */
const EXACT_DIGITS = 15;

/**
 * Copies the text without null members, which takes a fifth of the time of parsing. Returns undefined if JavaScript might
 * write a key, an escape or a number in another way.
 */
function withoutNullMembers(text: Uint8Array): Uint8Array | undefined {
  const out = Buffer.allocUnsafe(text.length);
  let [length, copied] = [0, 0];
  const skip = (start: number, end: number): void => {
    out.set(text.subarray(copied, start), length);
    length += start - copied;
    copied = end;
  };
  for (let at = 0; at < text.length; ) {
    const byte = text[at];
    const start = at++;
    if (byte === QUOTE) {
      for (; text[at] !== QUOTE; at++) {
        if (at >= text.length || (text[at] === BACKSLASH && !ESCAPES.has(text[++at]))) return undefined;
      }
      if (text[++at] !== COLON) continue;
      // JavaScript moves keys that are numbers to the front.
      if (isDigit(text[start + 1])) return undefined;
      if (text[++at] !== NULL) continue;
      at += "null".length;
      const isLast = text[at] !== COMMA;
      if (!isLast) at++;
      skip(start, at);
      if (isLast && out[length - 1] === COMMA) length--;
    } else if (byte === MINUS || isDigit(byte)) {
      while (isDigit(text[at]) || text[at] === POINT) at++;
      const kept = endOfNumber(text, start, at);
      if (kept === undefined) return undefined;
      if (kept < at) skip(kept, at);
    } else if (byte === NOT_A_NUMBER || byte === INFINITY) return undefined;
  }
  skip(text.length, text.length);
  return out.subarray(0, length);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

/** Returns the end of a number as JavaScript writes it, without `.0`. Undefined if it may differ in another way. */
function endOfNumber(text: Uint8Array, start: number, end: number): number | undefined {
  let point = start;
  while (point < end && text[point] !== POINT) point++;
  if (point - start > EXACT_DIGITS || MAY_CONTINUE.has(text[end])) return undefined;
  const isZero = text[point - 1] === ZERO && !isDigit(text[point - 2]);
  if (point < end - 2) {
    // Small numbers may have an exponent.
    const isSmall = isZero && text[point + 1] === ZERO && text[point + 2] === ZERO;
    return isSmall || text[end - 1] === ZERO ? undefined : end;
  }
  if (point === end - 2 && text[end - 1] !== ZERO) return end;
  const isNegativeZero = isZero && text[start] === MINUS;
  return isNegativeZero ? undefined : point;
}

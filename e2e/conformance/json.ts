/**
 * JSON values: types, access and comparison.
 * @module
 */

export type Json = null | boolean | number | string | JsonList | JsonObject;
export type JsonList = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value at these keys of nested objects; undefined if one is missing. */
export function at(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  let current = value;
  for (const key of keys) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** Returns the text at these keys. */
export function textAt(value: Json | undefined, ...keys: readonly string[]): string | undefined {
  const found = at(value, ...keys);
  return typeof found === "string" ? found : undefined;
}

/** Returns the number at these keys. */
export function numberAt(value: Json | undefined, ...keys: readonly string[]): number | undefined {
  const found = at(value, ...keys);
  return typeof found === "number" ? found : undefined;
}

/** Returns the list at these keys, empty if there is none. */
export function listAt(value: Json | undefined, ...keys: readonly string[]): JsonList {
  const found = keys.length === 0 ? value : at(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** Returns the texts of the list at these keys. */
export function textsAt(value: Json | undefined, ...keys: readonly string[]): string[] {
  return listAt(value, ...keys).filter((item) => typeof item === "string");
}

/** Returns the first difference as `path: got .., expected ..`; undefined if equal, regardless of key order. */
export function difference(got: Json | undefined, expected: Json | undefined, path = ""): string | undefined {
  if (Object.is(got, expected)) return undefined;
  if (Array.isArray(got) && Array.isArray(expected)) {
    if (got.length !== expected.length) return `${path}.length: got ${got.length}, expected ${expected.length}`;
    return firstOf(got.keys(), (i) => difference(got[i], expected[i], `${path}[${i}]`));
  }
  if (isObject(got) && isObject(expected)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
    return firstOf(keys, (key) => difference(at(got, key), at(expected, key), path === "" ? key : `${path}.${key}`));
  }
  return `${path || "value"}: got ${show(got)}, expected ${show(expected)}`;
}

function firstOf<K>(keys: Iterable<K>, find: (key: K) => string | undefined): string | undefined {
  for (const key of keys) {
    const found = find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Maximum length of a value in a message. */
const CITED_CHARS = 200;

/** Formats a value for a message. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > CITED_CHARS ? `${text.slice(0, CITED_CHARS)}…` : text;
}

/** Parses JSON. Throws if invalid. */
export function parseJson(text: string): Json {
  return JSON.parse(text) as Json;
}

/** Converts a row's columns to the JSON of a record. @module */
import type { Collection } from "../../../data/format/collections.ts";
import { quoteIdentifier } from "../../base/database/index.ts";

const APART = new Set(["geometry", "bbox"]);

/** SQL of a row's columns as JSON. Numbers that JSON lacks are written by name. */
export function rowJsonSql({ columns }: Pick<Collection, "columns">): string {
  const members = columns.filter(({ name }) => !APART.has(name)).map(({ name }) => quoteIdentifier(name));
  return `to_json(struct_pack(${members.map((name) => `${name} := ${name}`).join(", ")}))::VARCHAR`;
}

/** SQL of a 128-bit hash of a row: all columns except the box, which depends on the geometry. */
export function rowHashSql(collection: Collection): string {
  return `md5_number(${rowJsonSql(collection)} || md5(geometry))`;
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** Parses a row that DuckDB wrote as JSON. Removes null members of objects; NaN becomes null. */
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

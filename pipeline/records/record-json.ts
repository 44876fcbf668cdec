/** A row's columns as the JSON that a record holds. @module */
import type { Collection } from "../../data/format/collections.ts";
import { quoteIdentifier } from "../database/index.ts";

const APART = new Set(["geometry", "bbox"]);

/** SQL of a row's columns as JSON; numbers that JSON has not stand in it by name. */
export function rowJsonSql({ columns }: Collection): string {
  const members = columns.filter(({ name }) => !APART.has(name)).map(({ name }) => quoteIdentifier(name));
  return `to_json(struct_pack(${members.map((name) => `${name} := ${name}`).join(", ")}))::VARCHAR`;
}

/** SQL of a row's content as a number of 128 bits: all columns, since the box follows from the geometry. */
export function rowHashSql(collection: Collection): string {
  return `md5_number(${rowJsonSql(collection)} || md5(geometry))`;
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** The row that DuckDB wrote as JSON: null members left out of its objects, null for what is no number. */
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

/** Lists are changed, objects that hold null are made anew: to delete members is slow. Infinite numbers stay members: JSON text has null for them. */
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
    // a member of a map may be called so
    if (name === "__proto__") Object.defineProperty(left, name, { value: member, enumerable: true });
    else left[name] = member;
  }
  return left;
}

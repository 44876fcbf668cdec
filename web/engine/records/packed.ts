/**
 * Columns of a partition as JSON, however they are stored: the term run has nested ones as text.
 * @module
 */
import { type Data, Type } from "apache-arrow";
import { COLLECTIONS, type CollectionName } from "../../../data/format/collections.ts";
import { isPackedColumn } from "../../../data/format/terms.ts";
import type { Json } from "../query.ts";
import type { Partition } from "../release/partition.ts";
import { findColumn, onlyBatch, validityOf } from "./arrow-columns.ts";
import { createJsonReader, type JsonReader } from "./arrow-json.ts";
import { createJsonWriter, type JsonWriter } from "./arrow-json-writer.ts";

/** A column of a partition. */
export interface StoredColumn {
  readonly data: Data;
  /** Whether its values are JSON as text. */
  readonly isPacked: boolean;
}

const packedNames = new Map<CollectionName, ReadonlySet<string>>();

/** The partition's column; undefined when it has none of the name. */
export function storedColumn({ collection, table }: Partition, name: string): StoredColumn | undefined {
  const data = findColumn(onlyBatch(table), name);
  return data && { data, isPacked: data.typeId === Type.Utf8 && namesIn(collection).has(name) };
}

function namesIn(collection: CollectionName): ReadonlySet<string> {
  const known = packedNames.get(collection);
  if (known) return known;
  const names = new Set(COLLECTIONS[collection].columns.filter(isPackedColumn).map(({ name }) => name));
  packedNames.set(collection, names);
  return names;
}

/** Reads the column's values, which are the same whether it is packed or not. */
export function columnReader({ data, isPacked }: StoredColumn): JsonReader {
  const read = createJsonReader(data);
  if (!isPacked) return read;
  return (row) => {
    const text = read(row);
    return typeof text === "string" ? unpack(text) : null;
  };
}

/** Writes what `columnReader` reads. */
export function columnWriter(column: StoredColumn): JsonWriter {
  if (!column.isPacked) return createJsonWriter(column.data);
  const read = columnReader(column);
  return { isValid: validityOf(column.data), write: (row, out) => out.text(JSON.stringify(read(row))) };
}

function unpack(text: string): Json {
  return withoutNulls(parse(text));
}

/** What is no number in JSON the database writes by its name; JSON has numbers that are too large for one. */
function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    const named = /"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)/g;
    return JSON.parse(
      text.replace(named, (part) => (part.startsWith('"') ? part : part.startsWith("-") ? "-1e999" : "1e999")),
    ) as Json;
  }
}

/** The value with null members left out of its objects; lists keep null items. Its objects are changed. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) for (const item of value) withoutNulls(item);
  else if (typeof value === "object" && value !== null) {
    const members = value as Record<string, Json>;
    for (const [name, member] of Object.entries(members)) {
      if (member === null) delete members[name];
      else withoutNulls(member);
    }
  }
  return value;
}

/**
 * Columns of a partition as JSON, however they are stored: most runs have each by itself, the term run most of them in one, its record.
 * @module
 */
import { COLLECTIONS, type CollectionName } from "../../../data/format/collections.ts";
import { RECORD_COLUMN, recordColumns } from "../../../data/format/terms.ts";
import { findColumn, onlyBatch } from "../arrow/columns.ts";
import { createJsonReader, type JsonReader, type Texts, withTexts } from "../arrow/json-reader.ts";
import { createJsonWriter, type JsonWriter } from "../arrow/json-writer.ts";
import type { Json, Members } from "../contract/query.ts";
import type { Partition } from "./partition.ts";

type JsonObject = Readonly<Record<string, Json>>;

/** Reads and writes a column of a partition. */
export interface StoredColumn {
  readonly read: JsonReader;
  /** Made when asked for: most columns are read or written, not both. With these texts in its objects. */
  readonly writer: (texts?: Texts) => JsonWriter;
}

/** The partition's column; undefined when its rows have none of the name. `members` are those that its reader need give. */
export function storedColumn(partition: Partition, name: string, members?: Members): StoredColumn | undefined {
  const batch = onlyBatch(partition.table);
  const data = findColumn(batch, name);
  if (data) return { read: createJsonReader(data, members), writer: (texts) => createJsonWriter(data, texts) };
  const record = recordNames(partition.collection).has(name) ? recordOf(partition) : undefined;
  if (!record) return undefined;
  const read: JsonReader = (row) => record(row)?.[name] ?? null;
  return {
    read,
    writer: (texts = {}) => ({
      isValid: (row) => read(row) !== null,
      write: (row, out) => out.text(JSON.stringify(withTexts(read(row), texts))),
    }),
  };
}

const namesByCollection = new Map<CollectionName, ReadonlySet<string>>();

function recordNames(collection: CollectionName): ReadonlySet<string> {
  const known = namesByCollection.get(collection);
  if (known) return known;
  const names = new Set(recordColumns(COLLECTIONS[collection].columns).map(({ name }) => name));
  namesByCollection.set(collection, names);
  return names;
}

type ReadRecord = (row: number) => JsonObject | undefined;

const records = new WeakMap<Partition, ReadRecord>();

/** Reads the records of a partition's rows; undefined when it has none. The last one is kept: it is asked for each of its columns. */
function recordOf(partition: Partition): ReadRecord | undefined {
  const known = records.get(partition);
  if (known) return known;
  const data = findColumn(onlyBatch(partition.table), RECORD_COLUMN);
  if (!data) return undefined;
  const readText = createJsonReader(data);
  let last: { readonly row: number; readonly record: JsonObject | undefined } | undefined;
  const read: ReadRecord = (row) => {
    if (last?.row !== row) {
      const text = readText(row);
      last = { row, record: typeof text === "string" ? parseRecord(text) : undefined };
    }
    return last.record;
  };
  records.set(partition, read);
  return read;
}

function parseRecord(text: string): JsonObject {
  return tidied(parse(text)) as JsonObject;
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

/** The value with null members left out of its objects, and 0 for -0; lists keep null items. Its objects and lists are changed. */
function tidied(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  const members = value as Record<string, Json>;
  for (const name in members) {
    const member = members[name] as Json;
    if (member === 0) members[name] = 0;
    else if (member !== null) tidied(member);
    else if (!Array.isArray(value)) delete members[name];
  }
  return value;
}

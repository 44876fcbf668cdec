/**
 * A group of records in memory: rows as JSON.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { Collection } from "../../../data/format/collections.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import { boxOfParts, isPartTable, readPartTable } from "../../../data/format/geometry-parts.ts";
import type { StoredRecord } from "../../../data/format/records.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import { EngineError } from "../contract/errors.ts";
import type { Json } from "../contract/query.ts";
import { columnRead, computedFrom } from "./computed-column.ts";
import type { Rows, StoredColumn } from "./rows.ts";

type JsonObject = Readonly<Record<string, Json>>;

/** The rows of a group of records. A long geometry is a table of its parts here: `long-geometries.ts` reads them. */
export interface RecordRows extends Rows {
  readonly sizeBytes: number;
  /** Number of blocks of the group, without parts of long geometries. */
  readonly blocks: number;
}

/** Objects of JSON take some three times their text in V8. */
const BYTES_PER_JSON_BYTE = 4;

/** Columns that are not in the text. */
const APART = new Set(["geometry", "bbox"]);

interface GroupOf {
  readonly schema: Collection;
  readonly country: string;
  readonly blocks: number;
}

/** Returns access to the rows of a group. A row's JSON is parsed when one of its columns is first read. */
export function openRecords({ schema, country, blocks }: GroupOf, records: readonly StoredRecord[]): RecordRows {
  const names = new Set(schema.columns.map(({ name }) => name).filter((name) => !APART.has(name)));
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parsed = new Map<number, JsonObject>();
  const recordAt = (row: number): StoredRecord => {
    const record = records[row];
    if (!record) throw new EngineError(`a group of ${schema.name} has ${records.length} rows, asked for row ${row}`);
    return record;
  };
  const objectAt = (row: number): JsonObject => {
    const known = parsed.get(row);
    if (known) return known;
    const object = tidied(JSON.parse(decoder.decode(recordAt(row).json)) as Json) as JsonObject;
    parsed.set(row, object);
    return object;
  };
  const stored = (name: string): StoredColumn | undefined =>
    names.has(name) ? columnRead((row) => objectAt(row)[name] ?? null) : undefined;
  return {
    collection: schema.name,
    schema,
    country,
    rows: records.length,
    blocks,
    sizeBytes: records.reduce((sum, { json, geometry }) => {
      return sum + BYTES_PER_JSON_BYTE * json.length + geometry.length;
    }, 0),
    id: (row) => String(objectAt(row).id),
    geometry: (row) => recordAt(row).geometry,
    bbox: (row): BBox => boxOfStored(recordAt(row).geometry),
    column: (name) => computedFrom(schema, name, stored) ?? stored(name),
  };
}

function boxOfStored(geometry: Uint8Array): BBox {
  if (isPartTable(geometry)) return boxOfParts(readPartTable(geometry));
  return bboxOf(readStoredGeometry(geometry)) ?? [0, 0, 0, 0];
}

/**
 * Removes null members of objects, and writes 0 for -0 and null for a number that is too large. Lists keep null items. Changes
 * and returns the value itself.
 */
function tidied(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  const members = value as Record<string, Json>;
  for (const name in members) {
    const member = members[name] as Json;
    const isNone = member === null || member === Number.POSITIVE_INFINITY || member === Number.NEGATIVE_INFINITY;
    if (member === 0) members[name] = 0;
    else if (!isNone) tidied(member);
    else if (Array.isArray(value)) members[name] = null;
    else delete members[name];
  }
  return value;
}

/**
 * Reads Arrow values as JSON, with one reader per column: Arrow's own rows create a proxy per value.
 * @module
 */
import type { Data } from "apache-arrow";
import { Type } from "apache-arrow/enum";
import { EngineError } from "../contract/errors.ts";
import type { Json, Members } from "../contract/query.ts";
import { childOf, validityOf } from "./columns.ts";

/** Returns the value of a row; null if it is null or a number that JSON cannot represent. */
export type JsonReader = (row: number) => Json;

/** Text members that an object, or each object of a list, always has. They are "" where the data has no value. */
export interface Texts {
  readonly [member: string]: "" | Texts;
}

/** Returns the value with missing text members appended to its objects. */
export function withTexts(value: Json, texts: Texts): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => withTexts(item, texts));
  const members: Record<string, Json> = Object.fromEntries(Object.entries(value));
  for (const [name, of] of Object.entries(texts)) {
    const member = members[name];
    if (member === undefined) members[name] = emptyOf(of);
    else if (of !== "") members[name] = withTexts(member, of);
  }
  return members;
}

/** Returns what stands for a missing value: "" for a text, otherwise an object with all of these texts. */
export function emptyOf(texts: "" | Texts): Json {
  return texts === "" ? "" : withTexts({}, texts);
}

/**
 * Creates a reader of the column, limited to `members`. Structs and maps become objects without null members; lists keep null
 * items. Throws for types that the dataset does not use.
 */
export function createJsonReader(data: Data, members: Members = true): JsonReader {
  const read = valueReader(data, members);
  const isValid = validityOf(data);
  return isValid ? (row) => (isValid(row) ? read(row) : null) : read;
}

function valueReader(data: Data, members: Members): JsonReader {
  const { values, valueOffsets, offset } = data;
  switch (data.typeId) {
    case Type.Utf8:
      return textReader(data);
    case Type.Int:
      return (row) => Number(values[row]);
    case Type.Float:
      // adding 0 turns -0 into 0, which JSON has
      return (row) => (Number.isFinite(values[row]) ? values[row] + 0 : null);
    case Type.Bool:
      return (row) => ((values[(offset + row) >> 3] >> ((offset + row) & 7)) & 1) === 1;
    case Type.List: {
      const readItem = createJsonReader(childOf(data, 0), members);
      return (row) => {
        const items: Json[] = [];
        for (let i = valueOffsets[row]; i < valueOffsets[row + 1]; i++) items.push(readItem(i));
        return items;
      };
    }
    case Type.Struct:
      return structReader(data, members);
    case Type.Map:
      return mapReader(data);
    default:
      throw new EngineError(`column of Arrow type ${data.type}, expected text, number, boolean, list, struct or map`);
  }
}

/** Number of texts decoded one by one before the whole column is decoded. */
const DECODED_ALONE = 64;

/**
 * A call of the decoder costs more than a short text. In a column that is read often, ASCII texts are cut out of one
 * long string.
 */
function textReader({ values, valueOffsets, length }: Data): JsonReader {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const first: number = valueOffsets[0];
  let alone = 0;
  let whole: string | undefined;
  return (row) => {
    const [start, end]: [number, number] = [valueOffsets[row], valueOffsets[row + 1]];
    if (whole === undefined) {
      if (alone++ < DECODED_ALONE) return decoder.decode(values.subarray(start, end));
      // one character per byte, whatever it means, so that offsets in bytes and string are equal
      whole = new TextDecoder("windows-1252").decode(values.subarray(first, valueOffsets[length]));
    }
    for (let i = start; i < end; i++) {
      if (values[i] > 0x7f) return decoder.decode(values.subarray(start, end));
    }
    return whole.slice(start - first, end - first);
  };
}

function structReader(data: Data, wanted: Members): JsonReader {
  const fields: readonly { readonly name: string }[] = data.type.children;
  const members = fields.flatMap(({ name }, index) => {
    const of = wanted === true ? true : Object.hasOwn(wanted, name) ? wanted[name] : undefined;
    return of === undefined ? [] : { name, read: createJsonReader(childOf(data, index), of) };
  });
  return (row) => {
    const object: Record<string, Json> = {};
    for (const { name, read } of members) {
      const value = read(row);
      if (value !== null) object[name] = value;
    }
    return object;
  };
}

function mapReader(data: Data): JsonReader {
  const entries = childOf(data, 0);
  const readKey = createJsonReader(childOf(entries, 0));
  const readValue = createJsonReader(childOf(entries, 1));
  return (row) => {
    const object: Record<string, Json> = {};
    for (let i = data.valueOffsets[row]; i < data.valueOffsets[row + 1]; i++) {
      const key = String(readKey(i));
      const value = readValue(i);
      if (value === null) continue;
      // keys are data: this one would set the prototype
      if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true });
      else object[key] = value;
    }
    return object;
  };
}

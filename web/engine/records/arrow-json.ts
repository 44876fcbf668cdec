/**
 * Reads Arrow values as JSON, with a reader made once per column: Arrow's own rows take a proxy for each value.
 * @module
 */
import { type Data, Type } from "apache-arrow";
import { EngineError } from "../errors.ts";
import type { Json } from "../query.ts";
import { childOf, validityOf } from "./arrow-columns.ts";

/** The value of a row; null where the column is null. */
export type JsonReader = (row: number) => Json;

/**
 * A reader of the column. Structs and maps, which become objects, leave null members out; lists keep null items.
 * Throws for types that the dataset does not use.
 */
export function createJsonReader(data: Data): JsonReader {
  const read = valueReader(data);
  const isValid = validityOf(data);
  return isValid ? (row) => (isValid(row) ? read(row) : null) : read;
}

function valueReader(data: Data): JsonReader {
  const { values, valueOffsets, offset } = data;
  switch (data.typeId) {
    case Type.Utf8: {
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      return (row) => decoder.decode(values.subarray(valueOffsets[row], valueOffsets[row + 1]));
    }
    case Type.Int:
    case Type.Float:
      // a sum with 0 makes -0 the 0 that JSON has
      return (row) => Number(values[row]) + 0;
    case Type.Bool:
      return (row) => ((values[(offset + row) >> 3] >> ((offset + row) & 7)) & 1) === 1;
    case Type.List: {
      const readItem = createJsonReader(childOf(data, 0));
      return (row) => {
        const items: Json[] = [];
        for (let i = valueOffsets[row]; i < valueOffsets[row + 1]; i++) items.push(readItem(i));
        return items;
      };
    }
    case Type.Struct:
      return structReader(data);
    case Type.Map:
      return mapReader(data);
    default:
      throw new EngineError(`column of Arrow type ${data.type}, expected text, number, boolean, list, struct or map`);
  }
}

function structReader(data: Data): JsonReader {
  const members = data.type.children.map((field: { name: string }, index: number) => ({
    name: field.name,
    read: createJsonReader(childOf(data, index)),
  }));
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

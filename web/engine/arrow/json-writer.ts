/**
 * Writes Arrow values as JSON in UTF-8, with one writer per column and without intermediate values. The output equals
 * that of `json-reader.ts`.
 * @module
 */
import type { Data } from "apache-arrow";
import { Type } from "apache-arrow/enum";
import { childOf, validityOf } from "./columns.ts";
import { createJsonReader, emptyOf, type Texts } from "./json-reader.ts";
import type { Utf8Writer } from "./utf8-writer.ts";

/** Writes the values of a column. */
export interface JsonWriter {
  /** Whether the row has a value; undefined when all have. */
  readonly isValid: ((row: number) => boolean) | undefined;
  readonly write: (row: number, out: Utf8Writer) => void;
}

export interface JsonMember extends JsonWriter {
  /** The quoted name and a colon. */
  readonly key: Uint8Array;
  /** JSON for rows without a value. If undefined, such rows do not have the member. */
  readonly otherwise?: string;
}

/**
 * Creates a writer of the column. Its objects have all members of `texts`, at any depth; missing texts are "". Throws for types
 * that the dataset does not use.
 */
export function createJsonWriter(data: Data, texts: Texts = {}): JsonWriter {
  const isValid = validityOf(data);
  const isNumber = (row: number): boolean => Number.isFinite(data.values[row]) && (isValid?.(row) ?? true);
  return { isValid: data.typeId === Type.Float ? isNumber : isValid, write: writeOf(data, texts) };
}

/** Returns the writer of an object member. */
export function memberNamed(name: string, writer: JsonWriter): JsonMember {
  return { ...writer, key: new TextEncoder().encode(`${JSON.stringify(name)}:`) };
}

/** Writes an object: first the members that the row has, then those that it lacks but that have a default (`otherwise`). */
export function writeMembers(members: readonly JsonMember[], row: number, out: Utf8Writer): void {
  let separator = "{";
  let isComplete = true;
  for (const { key, isValid, write, otherwise } of members) {
    if (isValid && !isValid(row)) {
      if (otherwise !== undefined) isComplete = false;
      continue;
    }
    out.text(separator);
    out.bytes(key);
    write(row, out);
    separator = ",";
  }
  if (!isComplete) {
    for (const { key, isValid, otherwise } of members) {
      if (otherwise === undefined || !isValid || isValid(row)) continue;
      out.text(separator);
      out.bytes(key);
      out.text(otherwise);
      separator = ",";
    }
  }
  out.text(separator === "{" ? "{}" : "}");
}

function writeOf(data: Data, texts: Texts): JsonWriter["write"] {
  const { values, valueOffsets } = data;
  switch (data.typeId) {
    case Type.Utf8:
      return (row, out) => out.jsonString(values, valueOffsets[row], valueOffsets[row + 1]);
    case Type.Int:
    case Type.Float:
      return (row, out) => out.text(String(Number(values[row])));
    case Type.List:
      return listWriter(data, texts);
    case Type.Struct: {
      const members = data.type.children.map(({ name }: { name: string }, index: number) => {
        const of = Object.hasOwn(texts, name) ? texts[name] : undefined;
        const member = memberNamed(name, createJsonWriter(childOf(data, index), of || {}));
        return of === undefined ? member : { ...member, otherwise: JSON.stringify(emptyOf(of)) };
      });
      return (row, out) => writeMembers(members, row, out);
    }
    default: {
      // a JavaScript object determines which duplicate keys of a map remain, and their order
      const read = createJsonReader(data);
      return (row, out) => out.text(JSON.stringify(read(row)));
    }
  }
}

function listWriter(data: Data, texts: Texts): JsonWriter["write"] {
  const { valueOffsets } = data;
  const { isValid, write } = createJsonWriter(childOf(data, 0), texts);
  return (row, out) => {
    const [start, end] = [valueOffsets[row], valueOffsets[row + 1]];
    out.text("[");
    for (let i = start; i < end; i++) {
      if (i > start) out.text(",");
      if (isValid && !isValid(i)) out.text("null");
      else write(i, out);
    }
    out.text("]");
  };
}

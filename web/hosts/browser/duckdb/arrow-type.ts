/**
 * Arrow's types of the dataset's columns.
 * @module
 */
import { Binary, Bool, type DataType, Field, Float64, Int32, List, Map_, Struct, Utf8 } from "apache-arrow";

const PLAIN: Readonly<Record<string, () => DataType>> = {
  VARCHAR: () => new Utf8(),
  DOUBLE: () => new Float64(),
  INTEGER: () => new Int32(),
  BOOLEAN: () => new Bool(),
  GEOMETRY: () => new Binary(),
};

/** The Arrow type of a column, from DuckDB's spelling as `data/format/collections.ts` has it. Throws for a type that no column has. */
export function arrowTypeOf(type: string): DataType {
  if (type.endsWith("[]")) return new List(new Field("item", arrowTypeOf(type.slice(0, -"[]".length)), true));
  const [, kind, inside = ""] = /^(STRUCT|MAP)\((.*)\)$/.exec(type) ?? [];
  if (kind === "STRUCT") return new Struct(partsOf(inside).map(memberOf));
  if (kind === "MAP") {
    const [key = "", value = ""] = partsOf(inside);
    const entry = [new Field("key", arrowTypeOf(key), false), new Field("value", arrowTypeOf(value), true)];
    return new Map_(new Field("entries", new Struct(entry), false) as ConstructorParameters<typeof Map_>[0]);
  }
  const make = PLAIN[type];
  if (!make)
    throw new Error(
      `column type ${type}, expected one of ${Object.keys(PLAIN).join(", ")}, or a list, STRUCT or MAP of them`,
    );
  return make();
}

/** `name TYPE` or `"name" TYPE`. */
function memberOf(text: string): Field {
  const space = text.indexOf(" ");
  return new Field(text.slice(0, space).replaceAll('"', ""), arrowTypeOf(text.slice(space + 1)), true);
}

/** What stands between the commas that are in no brackets. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [start, depth] = [0, 0];
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")") depth--;
    else if (i === text.length || (text[i] === "," && depth === 0)) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return parts;
}

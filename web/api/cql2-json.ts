/** Parses CQL2 in its JSON encoding. @module */
import { type Json, listOf, objectOf } from "../../data/format/json.ts";
import {
  areaOfNumbers,
  areaOfShape,
  type Cql2,
  CqlError,
  createBounds,
  flipped,
  isComparison,
  type Literal,
} from "./cql2-expression.ts";

const OPS = "and, or, not, =, <>, <, <=, >, >=, in, like, between, isNull or s_intersects";

/** Parses a filter in CQL2's JSON encoding. Throws `CqlError` with what was expected and received. */
export function parseCql2Json(text: string): Cql2 {
  if (nesting(text) > MAX_NESTING) throw new CqlError(`JSON is at most ${MAX_NESTING} deep`);
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CqlError(`expected JSON, got ${text.slice(0, 100)}`);
  }
  const bounds = createBounds();

  function expression(node: Json): Cql2 {
    if (typeof node === "boolean") {
      bounds.condition();
      return { op: "boolean", value: node };
    }
    const { op, args } = objectOf(node) ?? {};
    if (typeof op !== "string" || !Array.isArray(args)) throw expected("op with args", node);
    const name = op.toLowerCase();
    const own = args as readonly Json[];
    if (name === "and" || name === "or") {
      const [first] = own;
      if (first === undefined) throw expected(`args of ${name}`, node);
      return bounds.inside(() => ({ op: name, args: own.map(expression) }));
    }
    if (name === "not") return bounds.inside(() => ({ op: "not", arg: expression(only(own, 1, node)[0] ?? null) }));
    bounds.condition();
    return predicate(name, own, node);
  }

  return expression(value);
}

/** Maximum depth of the JSON: more than expressions and shapes need, and well below the limit of the stack. */
const MAX_NESTING = 500;

/** Returns an upper bound of the depth of the JSON. */
function nesting(text: string): number {
  let [depth, most] = [0, 0];
  for (const character of text) {
    if (character === "{" || character === "[") most = Math.max(most, ++depth);
    else if (character === "}" || character === "]") depth--;
  }
  return most;
}

function predicate(op: string, args: readonly Json[], node: Json): Cql2 {
  if (isComparison(op)) {
    const [left = null, right = null] = only(args, 2, node);
    const property = propertyIn(left);
    if (property !== undefined) return { op, property, value: literalIn(right) };
    return { op: flipped(op), property: propertyOf(right), value: literalIn(left) };
  }
  switch (op) {
    case "in": {
      const [property = null, values = null] = only(args, 2, node);
      if (listOf(values).length === 0) throw expected("a list of values", values);
      return { op, property: propertyOf(property), values: listOf(values).map(literalIn) };
    }
    case "like": {
      const [property = null, pattern = null] = only(args, 2, node);
      if (typeof pattern !== "string") throw expected("a pattern", pattern);
      return { op, property: propertyOf(property), pattern };
    }
    case "between": {
      const [property = null, low = null, high = null] = only(args, 3, node);
      if (typeof low !== "number") throw expected("a number", low);
      if (typeof high !== "number") throw expected("a number", high);
      return { op, property: propertyOf(property), low, high };
    }
    case "isnull":
      return { op: "isNull", property: propertyOf(only(args, 1, node)[0] ?? null) };
    case "s_intersects": {
      const [left = null, right = null] = only(args, 2, node);
      const property = propertyIn(left);
      const shape = property === undefined ? left : right;
      const { bbox } = objectOf(shape) ?? {};
      const area =
        bbox === undefined ? areaOfShape(shape, brief(shape)) : areaOfNumbers(listOf(bbox).join(","), brief(shape));
      return { op, property: property ?? propertyOf(right), area };
    }
    default:
      throw expected(OPS, op);
  }
}

function only(args: readonly Json[], count: number, node: Json): readonly Json[] {
  if (args.length !== count) throw expected(`${count} args`, node);
  return args;
}

function propertyIn(value: Json): string | undefined {
  const property = objectOf(value)?.property;
  return typeof property === "string" ? property : undefined;
}

function propertyOf(value: Json): string {
  const property = propertyIn(value);
  if (property === undefined) throw expected("a property", value);
  return property;
}

function literalIn(value: Json): Literal {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw expected("a text, a number, true or false", value);
}

function expected(what: string, value: Json): CqlError {
  return new CqlError(`expected ${what}, got ${brief(value)}`);
}

function brief(value: Json): string {
  return JSON.stringify(value).slice(0, 100);
}

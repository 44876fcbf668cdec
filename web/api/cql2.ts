/**
 * The part of CQL2 that an index can answer: conditions joined by AND, as text or as JSON.
 * @see https://docs.ogc.org/is/21-065r2/21-065r2.html
 * @module
 */
import { type Area, areaOfBox, parseArea } from "../../data/format/area.ts";
import { type Json, listOf, objectOf } from "../../data/format/json.ts";
import { parseWkt } from "../../data/format/parse-wkt.ts";
import { ParameterError, parseBBox } from "../search/index.ts";

export type FilterLanguage = "cql2-text" | "cql2-json";

export type Condition =
  | { readonly op: "=" | ">=" | "in"; readonly property: string; readonly values: readonly (string | number)[] }
  | { readonly op: "s_intersects"; readonly property: string; readonly area: Area };

const GRAMMAR =
  "conditions joined by AND, each of them <property> = <value>, <property> >= <number>, <property> IN (<values>) or S_INTERSECTS(geometry, <polygon>)";

/** Deeper is no filter that somebody wrote. */
const MAX_DEPTH = 100;

/** The conditions, all of which must hold. Throws `ParameterError` with what came and what is allowed. */
export function parseCql2(text: string, language: FilterLanguage): Condition[] {
  try {
    return language === "cql2-text" ? conditionsInText(text) : conditionsInJson(parseJson(text), 0);
  } catch (error) {
    if (!(error instanceof CqlError)) throw error;
    throw new ParameterError([`filter must be ${GRAMMAR}; ${error.message}`]);
  }
}

class CqlError extends Error {}

// A text in quotes or "a property", a number, an operator, a word, or one sign.
const TOKEN =
  /\s*(?:('(?:[^']|'')*')|("[^"]+")|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(>=|<=|<>|[=<>])|([\w.:]+)|(\S))/y;

type Kind = "text" | "quoted" | "number" | "operator" | "word" | "sign";
const KINDS: readonly Kind[] = ["text", "quoted", "number", "operator", "word", "sign"];

interface Token {
  readonly kind: Kind;
  readonly text: string;
  /** Where it begins in the filter. */
  readonly start: number;
}

function conditionsInText(text: string): Condition[] {
  const tokens = tokensOf(text);
  let at = 0;
  const isWord = (word: string, token = tokens[at]) => token?.kind === "word" && token.text.toUpperCase() === word;
  const isSign = (sign: string) => tokens[at]?.text === sign && tokens[at]?.kind !== "text";

  function take(what: string, isWanted: (token: Token) => boolean): Token {
    const token = tokens[at];
    if (!token || !isWanted(token)) throw new CqlError(`expected ${what}, got ${token ? token.text : "the end"}`);
    at++;
    return token;
  }
  const takeSign = (sign: string) => take(sign, () => isSign(sign));

  function joined(depth: number): Condition[] {
    if (depth > MAX_DEPTH) throw new CqlError(`parentheses are at most ${MAX_DEPTH} deep`);
    const all = term(depth);
    while (isWord("AND")) {
      at++;
      all.push(...term(depth));
    }
    return all;
  }

  function term(depth: number): Condition[] {
    if (isSign("(")) {
      at++;
      const inside = joined(depth + 1);
      takeSign(")");
      return inside;
    }
    if (isWord("S_INTERSECTS")) return [spatial()];
    const property = propertyName();
    if (isWord("IN")) {
      at++;
      return [{ op: "in", property, values: list() }];
    }
    const { text: op } = take("=, >= or IN", ({ text }) => text === "=" || text === ">=");
    return [{ op: op === "=" ? "=" : ">=", property, values: [literal()] }];
  }

  function spatial(): Condition {
    at++;
    takeSign("(");
    const property = propertyName();
    takeSign(",");
    const start = tokens[at]?.start ?? text.length;
    const type = take("POLYGON, MULTIPOLYGON or BBOX", ({ kind }) => kind === "word").text.toUpperCase();
    for (let depth = 0; ; ) {
      const { text: sign } = take("parentheses that close", () => true);
      if (sign === "(") depth++;
      else if (sign === ")") depth--;
      if (depth === 0) break;
    }
    const written = text.slice(start, tokens[at]?.start);
    takeSign(")");
    return {
      op: "s_intersects",
      property,
      area: type === "BBOX" ? boxIn(written) : areaOf(parseWkt(written), written),
    };
  }

  function list(): (string | number)[] {
    takeSign("(");
    const values = [literal()];
    while (isSign(",")) {
      at++;
      values.push(literal());
    }
    takeSign(")");
    return values;
  }

  function propertyName(): string {
    const token = take("a property", ({ kind }) => kind === "word" || kind === "quoted");
    return token.kind === "quoted" ? token.text.slice(1, -1) : token.text;
  }

  function literal(): string | number {
    const { kind, text: written } = take(
      "a text in 'quotes' or a number",
      ({ kind }) => kind === "text" || kind === "number",
    );
    return kind === "number" ? Number(written) : written.slice(1, -1).replaceAll("''", "'");
  }

  const all = joined(0);
  if (at < tokens.length) throw new CqlError(`expected AND or the end, got ${tokens[at]?.text}`);
  return all;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [, ...groups] = match;
    const index = groups.findIndex((group) => group !== undefined);
    const [kind, written = ""] = [KINDS[index], groups[index]];
    if (kind) tokens.push({ kind, text: written, start: match.index + match[0].length - written.length });
  }
  return tokens;
}

function boxIn(written: string): Area {
  const box = parseBBox(written.replace(/^\s*BBOX\s*\(|\)\s*$/gi, ""));
  if (!box) throw new CqlError(`expected BBOX(west, south, east, north) in degrees, got ${written}`);
  return areaOfBox(box);
}

function areaOf(geometry: unknown, written: string): Area {
  try {
    return parseArea(geometry);
  } catch (error) {
    throw new CqlError(
      `expected POLYGON, MULTIPOLYGON or BBOX, got ${written.slice(0, 100)} (${(error as Error).message})`,
    );
  }
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new CqlError(`expected JSON, got ${text.slice(0, 100)}`);
  }
}

function conditionsInJson(value: Json, depth: number): Condition[] {
  const { op = null, args = null } = objectOf(value) ?? {};
  const [first = null, second = null] = listOf(args);
  if (depth > MAX_DEPTH || typeof op !== "string") throw new CqlError(`expected op with args, got ${brief(value)}`);
  const name = op.toLowerCase();
  if (name === "and") return listOf(args).flatMap((arg) => conditionsInJson(arg, depth + 1));
  const property = objectOf(first)?.property;
  if (typeof property !== "string") throw new CqlError(`expected a property first, got ${brief(first)}`);
  if (name === "s_intersects") return [{ op: name, property, area: areaInJson(second) }];
  if (name !== "=" && name !== ">=" && name !== "in")
    throw new CqlError(`expected op and, =, >=, in or s_intersects, got ${brief(op)}`);
  const values = name === "in" ? listOf(second) : [second];
  const plain = values.filter((each) => typeof each === "string" || typeof each === "number");
  if (plain.length < values.length || plain.length === 0)
    throw new CqlError(`expected a text or a number, got ${brief(second)}`);
  return [{ op: name, property, values: plain }];
}

function areaInJson(value: Json): Area {
  const { bbox } = objectOf(value) ?? {};
  return bbox === undefined ? areaOf(value, brief(value)) : boxIn(listOf(bbox).join(","));
}

function brief(value: Json): string {
  return JSON.stringify(value).slice(0, 100);
}

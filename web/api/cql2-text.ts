/**
 * CQL2 as text.
 * @module
 */
import type { Area } from "../../data/format/area.ts";
import { parseWkt } from "../../data/format/wkt.ts";
import {
  areaOfNumbers,
  areaOfShape,
  type Comparison,
  type Cql2,
  CqlError,
  createBounds,
  flipped,
  isComparison,
  type Literal,
} from "./cql2-expression.ts";

// A text in quotes or "a property", a number, an operator, a word, or a single character.
const TOKEN =
  /\s*(?:('(?:[^'\\]|''|\\[\s\S])*')|("[^"]+")|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(>=|<=|<>|[=<>])|([\w.:]+)|(\S))/y;

type Kind = "text" | "quoted" | "number" | "operator" | "word" | "sign";
const KINDS: readonly Kind[] = ["text", "quoted", "number", "operator", "word", "sign"];

interface Token {
  readonly kind: Kind;
  readonly text: string;
  /** Its offset in the filter. */
  readonly start: number;
}

/** Parses the filter. Throws `CqlError` with what was expected and received. */
export function parseCql2Text(text: string): Cql2 {
  const tokens = tokensOf(text);
  const bounds = createBounds();
  let at = 0;
  const isWord = (word: string, token = tokens[at]) => token?.kind === "word" && token.text.toUpperCase() === word;
  const isSign = (sign: string) => tokens[at]?.text === sign && tokens[at]?.kind === "sign";

  function fail(what: string): never {
    throw new CqlError(`expected ${what}, got ${tokens[at]?.text.slice(0, 100) ?? "the end"}`);
  }
  function take(what: string, isWanted: (token: Token) => boolean): Token {
    const token = tokens[at];
    if (!token || !isWanted(token)) fail(what);
    at++;
    return token;
  }
  const takeSign = (sign: string) => take(sign, () => isSign(sign));
  const takeWord = (word: string) => take(word, () => isWord(word));
  function skipWord(word: string): boolean {
    const isThere = isWord(word);
    if (isThere) at++;
    return isThere;
  }

  function expression(): Cql2 {
    return joined("or", () => joined("and", factor));
  }

  function joined(op: "and" | "or", next: () => Cql2): Cql2 {
    const first = next();
    const args = [first];
    while (skipWord(op.toUpperCase())) args.push(next());
    return args.length === 1 ? first : { op, args };
  }

  function factor(): Cql2 {
    if (skipWord("NOT")) return { op: "not", arg: bounds.inside(factor) };
    if (isSign("(")) {
      return bounds.inside(() => {
        at++;
        const inside = expression();
        takeSign(")");
        return inside;
      });
    }
    bounds.condition();
    return isWord("S_INTERSECTS") ? spatial() : predicate();
  }

  function predicate(): Cql2 {
    const literal = literalHere();
    if (literal !== undefined) {
      if (typeof literal === "boolean" && tokens[at]?.kind !== "operator") return { op: "boolean", value: literal };
      const op = flipped(comparison("=, <>, <, <=, > or >="));
      return { op, property: propertyName(), value: literal };
    }
    const property = propertyName();
    if (skipWord("IS")) return negated(skipWord("NOT"), { op: "isNull", property: takeNull(property) });
    const isNot = skipWord("NOT");
    if (skipWord("IN")) return negated(isNot, { op: "in", property, values: list() });
    if (skipWord("LIKE")) return negated(isNot, { op: "like", property, pattern: pattern() });
    if (skipWord("BETWEEN")) {
      const low = number();
      takeWord("AND");
      return negated(isNot, { op: "between", property, low, high: number() });
    }
    if (isNot) fail("IN, LIKE or BETWEEN");
    return { op: comparison("=, <>, <, <=, >, >=, IN, LIKE, BETWEEN or IS NULL"), property, value: anyLiteral() };
  }

  function takeNull(property: string): string {
    takeWord("NULL");
    return property;
  }

  function comparison(what: string): Comparison {
    const { text: op } = take(what, ({ kind, text: written }) => kind === "operator" && isComparison(written));
    return op as Comparison;
  }

  function spatial(): Cql2 {
    at++;
    takeSign("(");
    const isFirst = tokens[at]?.kind === "quoted" || tokens[at + 1]?.text === ",";
    const before = isFirst ? undefined : shape();
    if (before) takeSign(",");
    const property = propertyName();
    if (!before) takeSign(",");
    const area = before ?? shape();
    takeSign(")");
    return { op: "s_intersects", property, area };
  }

  function shape(): Area {
    const start = tokens[at]?.start ?? text.length;
    const type = take("POINT, POLYGON, MULTIPOLYGON or BBOX", ({ kind }) => kind === "word").text.toUpperCase();
    for (let depth = 0; ; ) {
      const { text: sign, kind } = take("closing parentheses", () => true);
      if (kind === "sign" && sign === "(") depth++;
      else if (kind === "sign" && sign === ")") depth--;
      if (depth === 0) break;
    }
    const written = text.slice(start, tokens[at]?.start);
    if (type === "BBOX") return areaOfNumbers(written.replace(/^\s*BBOX\s*\(|\)\s*$/gi, ""), written);
    return areaOfShape(parseWkt(written), written);
  }

  function list(): Literal[] {
    takeSign("(");
    const values = [anyLiteral()];
    while (isSign(",")) {
      at++;
      values.push(anyLiteral());
    }
    takeSign(")");
    return values;
  }

  function propertyName(): string {
    const token = take("a property", ({ kind }) => kind === "word" || kind === "quoted");
    return token.kind === "quoted" ? token.text.slice(1, -1) : token.text;
  }

  function literalHere(): Literal | undefined {
    const token = tokens[at];
    if (isWord("TRUE") || isWord("FALSE")) {
      at++;
      return token?.text.toUpperCase() === "TRUE";
    }
    if (token?.kind !== "text" && token?.kind !== "number") return undefined;
    at++;
    return token.kind === "number" ? Number(token.text) : unescaped(token.text.slice(1, -1));
  }

  function anyLiteral(): Literal {
    return literalHere() ?? fail("a text in 'quotes', a number, TRUE or FALSE");
  }

  function pattern(): string {
    const value = literalHere();
    return typeof value === "string" ? value : fail("a pattern in 'quotes'");
  }

  function number(): number {
    const value = literalHere();
    return typeof value === "number" ? value : fail("a number");
  }

  const whole = expression();
  if (at < tokens.length) fail("AND, OR or the end");
  return whole;
}

function negated(isNot: boolean, arg: Cql2): Cql2 {
  return isNot ? { op: "not", arg } : arg;
}

const CONTROLS: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  "'": "'",
  "\\": "\\",
};

/** A backslash before any other character stays, because a pattern may need it. */
function unescaped(text: string): string {
  return text.replace(/''|\\([\s\S])/g, (whole, escaped?: string) =>
    escaped === undefined ? "'" : (CONTROLS[escaped] ?? whole),
  );
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

/** Parses CQL2 in its text encoding. @module */
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
  /** Offset of the token in the filter, in UTF-16 code units. */
  readonly start: number;
}

/** Parses a filter in CQL2's text encoding. Throws `CqlError` with what was expected and received. */
export function parseCql2Text(text: string): Cql2 {
  const read = createReader(text);
  const bounds = createBounds();

  function expression(): Cql2 {
    return joined("or", () => joined("and", factor));
  }

  function joined(op: "and" | "or", next: () => Cql2): Cql2 {
    const first = next();
    const args = [first];
    while (read.skipWord(op.toUpperCase())) args.push(next());
    return args.length === 1 ? first : { op, args };
  }

  function factor(): Cql2 {
    if (read.skipWord("NOT")) return { op: "not", arg: bounds.inside(factor) };
    if (read.isSign("(")) {
      return bounds.inside(() => {
        read.skip();
        const inside = expression();
        read.takeSign(")");
        return inside;
      });
    }
    bounds.condition();
    return read.isWord("S_INTERSECTS") ? spatial() : predicate();
  }

  function predicate(): Cql2 {
    const literal = read.literalHere();
    if (literal !== undefined) {
      if (typeof literal === "boolean" && !read.isAtOperator()) return { op: "boolean", value: literal };
      const op = flipped(read.comparison("=, <>, <, <=, > or >="));
      return { op, property: read.propertyName(), value: literal };
    }
    const property = read.propertyName();
    if (read.skipWord("IS")) return negated(read.skipWord("NOT"), { op: "isNull", property: takeNull(property) });
    const isNot = read.skipWord("NOT");
    if (read.skipWord("IN")) return negated(isNot, { op: "in", property, values: read.list() });
    if (read.skipWord("LIKE")) return negated(isNot, { op: "like", property, pattern: read.pattern() });
    if (read.skipWord("BETWEEN")) {
      const low = read.number();
      read.takeWord("AND");
      return negated(isNot, { op: "between", property, low, high: read.number() });
    }
    if (isNot) read.fail("IN, LIKE or BETWEEN");
    return {
      op: read.comparison("=, <>, <, <=, >, >=, IN, LIKE, BETWEEN or IS NULL"),
      property,
      value: read.anyLiteral(),
    };
  }

  function takeNull(property: string): string {
    read.takeWord("NULL");
    return property;
  }

  function spatial(): Cql2 {
    read.skip();
    read.takeSign("(");
    const isFirst = read.isAtProperty();
    const before = isFirst ? undefined : shape();
    if (before) read.takeSign(",");
    const property = read.propertyName();
    if (!before) read.takeSign(",");
    const area = before ?? shape();
    read.takeSign(")");
    return { op: "s_intersects", property, area };
  }

  function shape(): Area {
    const { type, written } = read.takeShape();
    if (type === "BBOX") return areaOfNumbers(written.replace(/^\s*BBOX\s*\(|\)\s*$/gi, ""), written);
    return areaOfShape(parseWkt(written), written);
  }

  const whole = expression();
  if (!read.isAtEnd()) read.fail("AND, OR or the end");
  return whole;
}

/** Reads tokens one after another. Its functions throw `CqlError` with what was expected and received. */
function createReader(text: string) {
  const tokens = tokensOf(text);
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

  function comparison(what: string): Comparison {
    const { text: op } = take(what, ({ kind, text: written }) => kind === "operator" && isComparison(written));
    return op as Comparison;
  }

  /** Takes all up to the closing parenthesis of the next one, and returns it as written. */
  function takeShape(): { readonly type: string; readonly written: string } {
    const start = tokens[at]?.start ?? text.length;
    const type = take("POINT, POLYGON, MULTIPOLYGON or BBOX", ({ kind }) => kind === "word").text.toUpperCase();
    for (let depth = 0; ; ) {
      const { text: sign, kind } = take("closing parentheses", () => true);
      if (kind === "sign" && sign === "(") depth++;
      else if (kind === "sign" && sign === ")") depth--;
      if (depth === 0) break;
    }
    return { type, written: text.slice(start, tokens[at]?.start) };
  }

  return {
    ...{ isWord, isSign, fail, takeSign, takeWord, skipWord },
    ...{ literalHere, anyLiteral, pattern, number, list, propertyName, comparison, takeShape },
    skip: () => {
      at++;
    },
    isAtEnd: () => at >= tokens.length,
    isAtOperator: () => tokens[at]?.kind === "operator",
    /** Whether a property and a comma are next. */
    isAtProperty: () => tokens[at]?.kind === "quoted" || tokens[at + 1]?.text === ",",
  };
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

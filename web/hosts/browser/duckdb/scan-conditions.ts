/**
 * Turns the conditions of table scans in DuckDB's EXPLAIN into conditions on bbox and country. Conditions that are not understood
 * are ignored: more rows are then read. @module
 */
import { BOX_MEMBERS, COMPARISONS, type Comparison, EVERY_ROW, type RowCondition } from "../../../engine/index.ts";

type Token =
  | { readonly kind: "text" | "number" | "word"; readonly value: string }
  | { readonly kind: "sign"; readonly value: string };
type Operand =
  | { readonly kind: "text" | "member" | "country"; readonly value: string }
  | { readonly kind: "number"; readonly value: number };

const TOKEN = /\s*(?:('(?:[^']|'')*')|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([A-Za-z_][\w.]*:?)|(<=|>=|!=|\S))/gy;
const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/**
 * Returns a condition that holds for every row of the scan. DuckDB cuts texts at line ends: if one has an open quote, none is
 * used, and the condition holds for all rows.
 */
export function scanCondition(filters: readonly string[]): RowCondition {
  const texts = filters.map(tokensOf);
  if (!texts.every(isClosed)) return EVERY_ROW;
  return joined(
    "all",
    texts.map((tokens) => read(tokens) ?? EVERY_ROW),
  );
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(([, quoted, number, word, sign = ""]): Token => {
    if (quoted !== undefined) return { kind: "text", value: quoted.slice(1, -1).replaceAll("''", "'") };
    if (number !== undefined) return { kind: "number", value: number };
    return word === undefined ? { kind: "sign", value: sign } : { kind: "word", value: word };
  });
}

function isClosed(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const { kind, value } of tokens) {
    if (kind !== "sign") continue;
    if (value === "'" || value === '"') return false;
    if (value === "(") depth++;
    if (value === ")" && --depth < 0) return false;
  }
  return depth === 0;
}

/**
 * Returns the condition; undefined if it is not understood. AND binds more tightly than OR, so where DuckDB omits brackets the
 * condition selects at least the intended rows.
 */
function read(tokens: readonly Token[]): RowCondition | undefined {
  let at = 0;
  const is = (value: string, ahead = 0) => {
    const token = tokens[at + ahead];
    return token?.kind !== "text" && token?.value === value;
  };
  const take = (value: string): boolean => {
    if (!is(value)) return false;
    at++;
    return true;
  };

  function list(kind: "any" | "all", word: string, part: () => RowCondition | undefined): RowCondition | undefined {
    const of: RowCondition[] = [];
    do {
      const next = part();
      if (!next) return undefined;
      of.push(next);
    } while (take(word));
    return joined(kind, of);
  }
  const either = (): RowCondition | undefined => list("any", "OR", both);
  const both = (): RowCondition | undefined => list("all", "AND", term);

  function term(): RowCondition | undefined {
    take("optional:");
    if (!is("(")) return comparison();
    const start = at++;
    const inside = either();
    if (inside && take(")")) return inside;
    at = start;
    skipBrackets();
    return EVERY_ROW;
  }

  function skipBrackets(): void {
    let depth = 0;
    do {
      if (is("(")) depth++;
      if (is(")")) depth--;
      at++;
    } while (depth > 0 && at < tokens.length);
  }

  function comparison(): RowCondition | undefined {
    const left = operand();
    if (!left) return undefined;
    if (take("IS")) return take("NOT") && take("NULL") ? EVERY_ROW : undefined;
    if (take("IN")) return among(left);
    const sign = COMPARISONS.find((known) => is(known));
    if (!sign) return undefined;
    at++;
    const right = operand();
    return right && (compared(left, sign, right) ?? compared(right, MIRRORED[sign], left) ?? EVERY_ROW);
  }

  function among(left: Operand): RowCondition | undefined {
    if (!take("(")) return undefined;
    const of: RowCondition[] = [];
    do {
      const item = operand();
      if (!item) return undefined;
      of.push(compared(left, "=", item) ?? EVERY_ROW);
    } while (take(","));
    return take(")") ? { kind: "any", of } : undefined;
  }

  function operand(): Operand | undefined {
    const token = tokens[at++];
    if (token?.kind === "number") return { kind: "number", value: Number(token.value) };
    if (token?.kind === "text") return is(":") ? undefined : { kind: "text", value: token.value };
    if (token?.kind !== "word") return undefined;
    if (token.value === "country") return { kind: "country", value: "" };
    if (token.value.startsWith("bbox.")) return { kind: "member", value: token.value.slice("bbox.".length) };
    if (token.value !== "struct_extract") return is("(") ? undefined : { kind: "member", value: "" };
    const member = tokens[at + 3];
    if (!is("(") || !is("bbox", 1) || !is(",", 2) || member?.kind !== "text" || !is(")", 4)) return undefined;
    at += 5;
    return { kind: "member", value: member.value };
  }

  const whole = either();
  return at === tokens.length ? whole : undefined;
}

function compared(left: Operand, comparison: Comparison, right: Operand): RowCondition | undefined {
  if (left.kind === "country" && right.kind === "text") return { kind: "country", comparison, value: right.value };
  const member = left.kind === "member" ? BOX_MEMBERS.find((name) => name === left.value) : undefined;
  if (!member) return undefined;
  if (right.kind === "number") return { kind: "box", member, comparison, value: right.value };
  return member === "xmin" && right.value === "xmax" && comparison === ">" ? { kind: "crossing" } : undefined;
}

function joined(kind: "all" | "any", of: readonly RowCondition[]): RowCondition {
  const [first, ...others] = of;
  return first && others.length === 0 ? first : { kind, of };
}

/**
 * Conditions on rows, evaluated by their columns. The result is true, false or unknown (null), as in SQL. Not part of
 * the engine, because the page does not use them.
 * @module
 */
import type { Area } from "../../data/format/area.ts";
import { type AreaTest, createAreaTest } from "../../data/format/area-test.ts";
import { compareIds } from "../../data/format/ids.ts";
import type { Facet } from "../../data/format/terms.ts";
import { facetReader, type Json, type Members, type ReadableRows as Rows, type RowsTest } from "../engine/index.ts";

export type Scalar = string | number | boolean;

/** The part of a row that is compared. If it has several values, one that meets the comparison is enough. */
export type Operand =
  | { readonly kind: "country" }
  /** A column, or a nested member of it. */
  | {
      readonly kind: "column";
      readonly path: readonly [column: string, ...members: string[]];
      /** Its numbers are compared as the texts that features show. */
      readonly isText?: boolean;
    }
  /** The values of the facet's terms. */
  | { readonly kind: "facet"; readonly facet: Facet }
  | { readonly kind: "constant"; readonly value: Scalar };

/** A test of one value. Texts are ordered by their UTF-8 bytes. */
export type ValueTest =
  | { readonly op: "=" | "<>" | "<" | "<=" | ">" | ">="; readonly value: Scalar }
  | { readonly op: "in"; readonly values: readonly Scalar[] }
  | { readonly op: "between"; readonly low: Scalar; readonly high: Scalar }
  /** `%` matches any text, `_` one character; a backslash escapes them. */
  | { readonly op: "like"; readonly pattern: string };

/**
 * A condition on a row with SQL's three values: comparisons with null are unknown, and a row with an unknown result
 * does not match. Plain data.
 */
export type Condition =
  | { readonly kind: "all" | "any"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "known"; readonly value: boolean }
  | { readonly kind: "null"; readonly operand: Operand }
  | { readonly kind: "compare"; readonly operand: Operand; readonly test: ValueTest }
  | { readonly kind: "meets"; readonly area: Area };

type Verdict = boolean | null;
type RowTest = (row: number) => Verdict;
type RowValues = (row: number) => readonly Scalar[];

/** Returns a test whether a row meets the condition; unknown counts as no. */
export function conditionTest(condition: Condition): RowsTest {
  return (rows) => {
    const test = rowTest(rows, condition);
    return (row) => test(row) === true;
  };
}

function rowTest(rows: Rows, condition: Condition): RowTest {
  switch (condition.kind) {
    case "known":
      return () => condition.value;
    case "all":
    case "any":
      return joined(
        condition.of.map((each) => rowTest(rows, each)),
        condition.kind === "any",
      );
    case "not": {
      const test = rowTest(rows, condition.of);
      return (row) => {
        const found = test(row);
        return found === null ? null : !found;
      };
    }
    case "null": {
      const valuesOf = valuesReader(rows, condition.operand);
      return (row) => valuesOf(row).length === 0;
    }
    case "compare": {
      const valuesOf = valuesReader(rows, condition.operand);
      const isMet = valueTest(condition.test);
      return (row) => {
        const values = valuesOf(row);
        return values.length === 0 ? null : values.some(isMet);
      };
    }
    case "meets": {
      const { reaches, holds, intersects } = areaTestOf(condition.area);
      return (row) => {
        const box = rows.bbox(row);
        return reaches(box) && (holds(box) || intersects(rows.geometry(row)));
      };
    }
  }
}

/** Maximum number of comparisons with edges of one area that a search makes. */
const MAX_COMPARISONS = 300_000_000;
const areaTests = new WeakMap<Area, AreaTest>();

/** Returns the test of an area. All partitions of a search share it, so that its index of edges is made once. */
function areaTestOf(area: Area): AreaTest {
  const test = areaTests.get(area) ?? createAreaTest(area, { comparisons: 0, most: MAX_COMPARISONS });
  areaTests.set(area, test);
  return test;
}

/** Joins tests by OR (`isAny`) or AND: one decisive result is enough; otherwise an unknown one makes the result unknown. */
function joined(tests: readonly RowTest[], isAny: boolean): RowTest {
  return (row) => {
    let verdict: Verdict = !isAny;
    for (const test of tests) {
      const found = test(row);
      if (found === isAny) return isAny;
      if (found === null) verdict = null;
    }
    return verdict;
  };
}

/** The values of an operand; empty for null. */
function valuesReader(rows: Rows, operand: Operand): RowValues {
  switch (operand.kind) {
    case "constant":
      return () => [operand.value];
    case "country":
      return () => [rows.country];
    case "facet": {
      const read = facetReader(rows, operand.facet);
      return (row) => (read ? [...read(row)] : []);
    }
    case "column": {
      const [column, ...members] = operand.path;
      const read = rows.column(
        column,
        members.reduceRight<Members>((inner, name) => ({ [name]: inner }), true),
      )?.read;
      return (row) => {
        const value = memberAt(read?.(row) ?? null, members);
        if (value === null || typeof value === "object") return [];
        return [operand.isText ? String(value) : value];
      };
    }
  }
}

function memberAt(value: Json, names: readonly string[]): Json {
  let current = value;
  for (const name of names) {
    if (typeof current !== "object" || current === null || Array.isArray(current)) return null;
    current = (current as Readonly<Record<string, Json>>)[name] ?? null;
  }
  return current;
}

function valueTest(test: ValueTest): (value: Scalar) => boolean {
  switch (test.op) {
    case "in": {
      const values = new Set(test.values);
      return (value) => values.has(value);
    }
    case "between":
      return (value) => compare(value, test.low) >= 0 && compare(value, test.high) <= 0;
    case "like": {
      const isLike = likeTest(test.pattern);
      return (value) => typeof value === "string" && isLike(value);
    }
    case "=":
      return (value) => value === test.value;
    case "<>":
      return (value) => value !== test.value;
    case "<":
      return (value) => compare(value, test.value) < 0;
    case "<=":
      return (value) => compare(value, test.value) <= 0;
    case ">":
      return (value) => compare(value, test.value) > 0;
    case ">=":
      return (value) => compare(value, test.value) >= 0;
  }
}

/**
 * Compares values of one type: negative, 0 or positive; false precedes true. NaN for different types, which meets no
 * comparison.
 */
function compare(a: Scalar, b: Scalar): number {
  if (typeof a !== typeof b) return Number.NaN;
  return typeof a === "string" ? compareIds(a, String(b)) : Number(a) - Number(b);
}

type Part = { readonly character: string } | "one" | "any";

/** Returns a test of a text by a pattern of LIKE. Takes time of at most text length times pattern length. */
function likeTest(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern);
  return (text) => {
    const characters = [...text];
    let [at, part] = [0, 0];
    let retryAt = 0;
    let retryPart = -1;
    while (at < characters.length) {
      const wanted = parts[part];
      if (wanted === "any") {
        retryPart = part++;
        retryAt = at;
      } else if (wanted === "one" || (wanted !== undefined && wanted.character === characters[at])) {
        at++;
        part++;
      } else if (retryPart >= 0) {
        part = retryPart + 1;
        at = ++retryAt;
      } else return false;
    }
    return parts.slice(part).every((rest) => rest === "any");
  };
}

function partsOf(pattern: string): readonly Part[] {
  const parts: Part[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    if (character === "%") parts.push("any");
    else if (character === "_") parts.push("one");
    else if (character === "\\" && at + 1 < characters.length) parts.push({ character: characters[++at] ?? "" });
    else parts.push({ character });
  }
  return parts;
}

/**
 * The path of a collection with its own schema: its columns are parameters.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import { queryTermsOf } from "../../data/format/fold.ts";
import { columnTerm, ownCollection } from "../../data/format/own-collections.ts";
import { DATE, hasWords, MAX_WORDS_CHARS, type OwnFilter } from "../../data/format/own-filters.ts";
import type { OwnSchema } from "../../data/format/own-schema.ts";
import type { ColumnTest } from "../engine/index.ts";
import { flagsParameter, listParameter, numberParameter, numbersParameter, textParameter } from "./values.ts";

/** The condition of a parameter. */
interface OwnCondition {
  /** Terms, of which a row must have one. */
  readonly terms?: readonly string[];
  readonly test?: ColumnTest;
}

type Parameter = typeof textParameter<string> | typeof listParameter | typeof numberParameter;

/** The query parameter of a filter on a column of one's own table. */
export interface OwnParameter {
  readonly schema: ReturnType<Parameter | typeof numbersParameter | typeof flagsParameter>;
  readonly column: string;
  /**
   * Returns the condition that a value of the parameter means. With `isUnknownIncluded` it is a test of the column, so that
   * `Filters.orUnknown` can include rows without a value.
   */
  readonly conditionOf: (value: unknown, isUnknownIncluded: boolean) => OwnCondition;
}

/** Returns the query parameter of a filter on a column: its schema, its column, and the condition that a value means. */
export function parameterOf({ name, column: { name: column }, kind, bound }: OwnFilter): OwnParameter {
  const texts = (value: unknown) => [value].flat().map(String);
  const terms = (value: unknown) => ({ terms: texts(value).map((text) => columnTerm(column, text)) });
  switch (kind) {
    case "flags":
      return {
        column,
        schema: flagsParameter(name, { doc: `Value of the column ${column}; any of them.` }),
        // the index has no list of rows without a value
        conditionOf: (value, isUnknownIncluded) =>
          isUnknownIncluded ? { test: { column, values: [value].flat().map(Boolean) } } : terms(value),
      };
    case "values":
      return {
        column,
        schema: listParameter(name, { doc: `Value of the column ${column}; any of them.` }),
        conditionOf: terms,
      };
    case "numbers":
      return {
        column,
        schema: numbersParameter(name, { doc: `Value of the column ${column}; any of them.` }),
        conditionOf: (value) => ({ test: { column, values: texts(value).map(Number) } }),
      };
    case "number":
      return {
        column,
        schema: numberParameter(name, { doc: `The ${bound}imum of the column ${column}, inclusive.` }),
        conditionOf: (value) => ({ test: { column, ...(bound && { [bound]: Number(value) }) } }),
      };
    case "date":
      return {
        column,
        schema: dateParameter(name, dateDoc(column, bound)),
        conditionOf: (value) => ({
          test: {
            column,
            ...(bound === "max" ? {} : { min: String(value) }),
            // each text that begins with the last date is before this one
            ...(bound === "min" ? {} : { max: `${value}\uffff` }),
          },
        }),
      };
    case "words":
      return {
        column,
        schema: textParameter(name, {
          doc: `Each word must begin a word of the column ${column}; case and accents are ignored.`,
          allowed: `a text of at most ${MAX_WORDS_CHARS} characters with a letter or a digit`,
          maxLength: MAX_WORDS_CHARS,
          parse: (text) => (hasWords(text) ? text : undefined),
        }),
        conditionOf: (value) => ({ test: { column, words: queryTermsOf(String(value)) } }),
      };
  }
}

function dateDoc(column: string, bound: OwnFilter["bound"]): string {
  if (bound === undefined)
    return `Date of the column ${column}, such as 2026-11-28; a year or a month has all of its dates.`;
  return `The ${bound === "min" ? "first" : "last"} date of the column ${column}, such as 2026-11-28, inclusive.`;
}

/** Without an example: the document's examples are values of the parameters that all datasets have, by name. */
function dateParameter(name: string, doc: string) {
  return textParameter(name, {
    doc,
    allowed: "a date such as 2026, 2026-11 or 2026-11-28",
    pattern: DATE,
    isTrimmed: true,
    parse: (text) => text,
  });
}

/** Returns whether the column of the collection is computed from others, such as `categories` or `names`. */
export function computes(name: CollectionName, schema: OwnSchema, column: string): boolean {
  return ownCollection(name, schema).computed?.includes(column) ?? false;
}

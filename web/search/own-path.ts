/**
 * The path of a collection with its own schema: its columns are parameters.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import { queryTermsOf } from "../../data/format/fold.ts";
import { columnTerm, ownCollection } from "../../data/format/own-collections.ts";
import type { OwnColumn, OwnSchema } from "../../data/format/own-schema.ts";
import type { ColumnTest } from "../engine/index.ts";
import { flagsParameter, listParameter, numberParameter, numbersParameter, textParameter } from "./values.ts";

/** What a parameter of a column asks for. */
export interface OwnCondition {
  /** Any of them. */
  readonly terms?: readonly string[];
  readonly test?: ColumnTest;
}

type Parameter = typeof textParameter<string> | typeof listParameter | typeof numberParameter;

export interface OwnParameter {
  readonly schema: ReturnType<Parameter | typeof numbersParameter | typeof flagsParameter>;
  readonly conditionOf: (value: unknown) => OwnCondition;
}

const MAX_TEXT = 200;
const DATE = /^\d{4}(-\d{2}(-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?)?)?$/;

const parameters = new WeakMap<OwnSchema, ReadonlyMap<string, OwnParameter>>();

/**
 * The parameters of the columns, by name. `taken` are names of other parameters. A column whose parameters have such a name, or that
 * of another column's parameter, has `c.` before it.
 */
export function columnParameters(
  schema: OwnSchema,
  taken: (name: string) => boolean,
): ReadonlyMap<string, OwnParameter> {
  const known = parameters.get(schema);
  if (known) return known;
  const all = new Map<string, OwnParameter>();
  const free = (base: string, column: OwnColumn): readonly (readonly [name: string, OwnParameter])[] => {
    const made = parametersOfColumn(base, column).map(([suffix, parameter]) => [base + suffix, parameter] as const);
    return made.some(([name]) => all.has(name)) ? free(`c.${base}`, column) : made;
  };
  for (const column of schema.columns) {
    const made = free(taken(column.name) ? `c.${column.name}` : column.name, column);
    for (const [name, parameter] of made) all.set(name, parameter);
  }
  parameters.set(schema, all);
  return all;
}

function parametersOfColumn(name: string, column: OwnColumn): readonly (readonly [suffix: string, OwnParameter])[] {
  const { name: stored, type, hasTerms } = column;
  const texts = (value: unknown) => [value].flat().map(String);
  switch (type) {
    case "boolean":
      return [
        [
          "",
          {
            schema: flagsParameter(name, { doc: `Value of the column ${stored}; any of them.` }),
            conditionOf: (value) => ({ terms: texts(value).map((text) => columnTerm(stored, text)) }),
          },
        ],
      ];
    case "integer":
    case "number": {
      const bound = (which: "min" | "max"): OwnParameter => ({
        schema: numberParameter(`${name}_${which}`, { doc: `The ${which}imum of the column ${stored}, inclusive.` }),
        conditionOf: (value) => ({ test: { column: stored, [which]: Number(value) } }),
      });
      return [
        [
          "",
          {
            schema: numbersParameter(name, { doc: `Value of the column ${stored}; any of them.` }),
            conditionOf: (value) => ({ test: { column: stored, values: texts(value).map(Number) } }),
          },
        ],
        ["_min", bound("min")],
        ["_max", bound("max")],
      ];
    }
    case "date":
    case "date-time": {
      const bound = (which: "min" | "max"): OwnParameter => ({
        schema: dateParameter(
          `${name}_${which}`,
          `The ${which === "min" ? "first" : "last"} date of the column ${stored}, such as 2026-11-28, inclusive.`,
        ),
        // each text that begins with the last date is before this one
        conditionOf: (value) => ({
          test: { column: stored, [which]: which === "max" ? `${value}\uffff` : String(value) },
        }),
      });
      return [
        [
          "",
          {
            schema: dateParameter(
              name,
              `Date of the column ${stored}, such as 2026-11-28; a year or a month has all of its dates.`,
            ),
            conditionOf: (value) => ({ test: { column: stored, min: String(value), max: `${value}\uffff` } }),
          },
        ],
        ["_min", bound("min")],
        ["_max", bound("max")],
      ];
    }
    case "text":
    case "list":
    case "json": {
      if (hasTerms) {
        return [
          [
            "",
            {
              schema: listParameter(name, { doc: `Value of the column ${stored}; any of them.` }),
              conditionOf: (value) => ({ terms: texts(value).map((text) => columnTerm(stored, text)) }),
            },
          ],
        ];
      }
      return [
        [
          "",
          {
            schema: textParameter(name, {
              doc: `Each word must begin a word of the column ${stored}; case and accents are ignored.`,
              allowed: `a text of at most ${MAX_TEXT} characters with a letter or a digit`,
              maxLength: MAX_TEXT,
              parse: (text) => (queryTermsOf(text).length > 0 ? text : undefined),
            }),
            conditionOf: (value) => ({ test: { column: stored, words: queryTermsOf(String(value)) } }),
          },
        ],
      ];
    }
  }
}

function dateParameter(name: string, doc: string) {
  return textParameter(name, {
    doc,
    allowed: "a date such as 2026, 2026-11 or 2026-11-28",
    pattern: DATE,
    isTrimmed: true,
    parse: (text) => text,
  });
}

/** Whether the collection has a computed column, such as `categories`. */
export function computes(name: CollectionName, schema: OwnSchema, column: string): boolean {
  return ownCollection(name, schema).computed?.includes(column) ?? false;
}

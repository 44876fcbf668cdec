/**
 * The filters of a collection made from a user's table. REST parameters, the page's fields and its SQL are made from
 * them.
 *
 * @module
 */
import { queryTermsOf } from "./fold.ts";
import { writtenName } from "./own-collections.ts";
import type { OwnColumn, OwnSchema, OwnType } from "./own-schema.ts";

/** A filter for a column of a user's table. */
export interface OwnFilter {
  /** Name of the REST parameter. */
  readonly name: string;
  readonly column: OwnColumn;
  readonly kind: "flags" | "values" | "numbers" | "number" | "date" | "words";
  /** A bound is inclusive. Other numbers and dates are equal to the value. */
  readonly bound?: "min" | "max";
}

/** Parts of the page's address that are no parameters. */
const ADDRESS_NAMES = new Set(["area", "around", "at", "colour_by", "open_now", "record", "sort", "view"]);

/**
 * Returns the filters of a collection with its own schema, in the order of the columns. A filter has the name of its
 * column as in the user's table. `c.` comes before it if the stored name has it, or if the name is used: by an earlier
 * filter, by the page's address, or by a parameter that `isTaken` reports.
 */
export function ownFilters({ columns }: OwnSchema, isTaken: (name: string) => boolean): readonly OwnFilter[] {
  const used = new Set<string>();
  return columns.flatMap((column): readonly OwnFilter[] => {
    // A stored name may already have the prefix.
    const written = writtenName(column.name);
    const plain = filtersOf(column, written);
    const isPlain =
      written === column.name &&
      !isTaken(written) &&
      !ADDRESS_NAMES.has(written) &&
      !plain.some(({ name }) => used.has(name));
    const filters = isPlain ? plain : filtersOf(column, `c.${written}`);
    for (const { name } of filters) used.add(name);
    return filters;
  });
}

function filtersOf(column: OwnColumn, name: string): readonly OwnFilter[] {
  const kind = kindOf(column);
  if (kind !== "number" && kind !== "date") return [{ name, column, kind }];
  return [
    { name, column, kind: kind === "number" ? "numbers" : kind },
    { name: `${name}_min`, column, kind, bound: "min" },
    { name: `${name}_max`, column, kind, bound: "max" },
  ];
}

const RANGES: Readonly<Partial<Record<OwnType, "number" | "date">>> = {
  integer: "number",
  number: "number",
  date: "date",
  "date-time": "date",
};

function kindOf({ type, hasTerms }: OwnColumn): Exclude<OwnFilter["kind"], "numbers"> {
  if (type === "boolean") return "flags";
  return RANGES[type] ?? (hasTerms ? "values" : "words");
}

/** Returns whether some column of the schema has a filter that can include rows without a value. */
export function hasUnknownValues({ columns }: OwnSchema): boolean {
  return columns.some((column) => filtersOf(column, column.name).some(mayIncludeUnknown));
}

/**
 * Returns whether a search with this filter can also include rows without a value: filters for numbers, dates, and yes
 * or no.
 */
export function mayIncludeUnknown({ kind }: OwnFilter): boolean {
  return kind !== "values" && kind !== "words";
}

/** Values of a filter for a column with yes or no. */
export const FLAGS = ["true", "false"] as const;
/** Pattern of a number in a filter. */
export const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** A date in ISO 8601: a year, a month, a day, or a time with or without a zone. */
export const DATE = /^\d{4}(-\d{2}(-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?)?)?$/;
/** Characters of a filter for words at most. */
export const MAX_WORDS_CHARS = 200;

/** Returns whether a text has at least one word, and at most `MAX_WORDS_CHARS` characters. */
export function hasWords(text: string): boolean {
  return Array.from(text).length <= MAX_WORDS_CHARS && queryTermsOf(text).length > 0;
}

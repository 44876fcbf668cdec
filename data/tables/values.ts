/**
 * Finds the type of a column from all of its values, and converts values to it.
 * @module
 */

import { parseJson } from "./parse-json.ts";
import { isEmpty, type RawTable } from "./raw-table.ts";
import type { ColumnType } from "./table.ts";

/** Texts for "no value" in columns of numbers, dates and booleans. */
const MISSING = new Set(["na", "n/a", "null", "none", "nan", "#n/a", "-", "–", "\\n", "."]);

const MINUS = /[\u2212\u2012\u2013]/g;
const GROUPED = /^[-+]?\s?\d{1,3}([\s\u00a0\u202f\u2009'’]\d{3})+([.,]\d+)?$/;
const SPACES = /[\s\u00a0\u202f\u2009'’]/g;

interface TypedColumn {
  readonly type: ColumnType;
  readonly read: (raw: unknown) => unknown;
}

/**
 * Returns whether a comma is the decimal sign in most numbers of a text table. In doubt, true if the delimiter is `;`.
 */
export function hasDecimalComma({ rows, delimiter }: Pick<RawTable, "rows" | "delimiter">): boolean {
  let [commas, points] = [0, 0];
  for (const { values } of rows) {
    for (const value of values) {
      if (typeof value !== "string" || value.length > 24 || !/^[-+\d.,\s\u00a0\u202f\u2212]+$/.test(value)) continue;
      const text = value.replace(SPACES, "");
      if (/^[-+\u2212]?(\d{1,3}(\.\d{3})+|\d+),\d+$/.test(text) && !/^[-+\u2212]?[1-9]\d{0,2},\d{3}$/.test(text))
        commas++;
      else if (/^[-+\u2212]?(\d{1,3}(,\d{3})+|\d*)\.\d+$/.test(text) && !/^[-+\u2212]?[1-9]\d{0,2}\.\d{3}$/.test(text))
        points++;
    }
  }
  return commas > points || (commas === points && delimiter === ";");
}

/**
 * Returns the number of a text, which may have thousands separators; NaN for other text. `decimalComma` decides whether
 * `.` or `,` is the decimal sign in texts such as `1.234` and `1,234`.
 */
export function parseNumber(given: string, decimalComma: boolean): number {
  const trimmed = given.replace(MINUS, "-").trim();
  // an apostrophe before a text of a spreadsheet says that it is no number
  if (/^['’]|\d[\s'’]/.test(trimmed) && !GROUPED.test(trimmed)) return Number.NaN;
  const text = trimmed.replace(SPACES, "");
  if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) {
    if (decimalComma && /^[-+]?[1-9]\d{0,2}(\.\d{3})+$/.test(text)) return Number(text.replaceAll(".", ""));
    return Number(text);
  }
  if (/^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) && (!decimalComma || /[.]|,.*,/.test(text)))
    return Number(text.replaceAll(",", ""));
  if (/^[-+]?(\d{1,3}(\.\d{3})+|\d*),\d+(e[-+]?\d+)?$/i.test(text))
    return Number(text.replaceAll(".", "").replace(",", "."));
  if (decimalComma && /^[-+]?\d{1,3}(\.\d{3}){2,}$/.test(text)) return Number(text.replaceAll(".", ""));
  return Number.NaN;
}

/** Whether the text is a code and no number: postcodes, telephone numbers, long ids. */
function isCode(text: string): boolean {
  return /^\s*(\+|[-\u2212]?0\d)/.test(text) || text.replace(/\D/g, "").length > 15;
}

interface TypeOptions {
  readonly decimalComma: boolean;
  /** Whether numbers, booleans and lists are written as text, too; JSON has types of its own. */
  readonly isText: boolean;
}

/**
 * Returns the type that fits all values of a column, and a function that converts a raw value to it, null for no value.
 */
export function typedColumn(values: readonly unknown[], options: TypeOptions): TypedColumn {
  const known = values.filter((value) => !isEmpty(value));
  if (known.length === 0) return { type: "text", read: () => null };
  return known.every((value) => typeof value === "string")
    ? typedTexts(known as string[], options)
    : known.some((value) => value instanceof Date)
      ? typedDates(known)
      : typedValues(known);
}

/** Returns whether the value is a text for "no value". */
export const isMissing = (value: unknown): boolean =>
  typeof value === "string" && MISSING.has(value.trim().toLowerCase());

type Parse = (text: string) => unknown;

/** Types of texts, the narrowest first; a parser gives undefined for what is not of the type. */
function typedTexts(texts: readonly string[], { decimalComma, isText }: TypeOptions): TypedColumn {
  const present = texts.filter((text) => !isMissing(text));
  const number: Parse = (text) => {
    const value = isCode(text) ? Number.NaN : parseNumber(text, decimalComma);
    return Number.isFinite(value) ? value : undefined;
  };
  const integer: Parse = (text) => {
    const value = /[.e]/i.test(text) && !decimalComma ? undefined : number(text);
    return Number.isSafeInteger(value) ? value : undefined;
  };
  const boolean: Parse = (text) => ({ true: true, false: false })[text.trim().toLowerCase()];
  const dates: readonly (readonly [ColumnType, Parse])[] = [
    ["date", dateParser(present)],
    ["date-time", parseDateTime],
  ];
  const parsers: typeof dates = isText
    ? [["boolean", boolean], ["integer", integer], ["number", number], ...dates, ["list", listText], ["json", jsonText]]
    : dates;
  const found =
    present.length > 0 ? parsers.find(([, parse]) => present.every((text) => parse(text) !== undefined)) : undefined;
  if (!found) return { type: "text", read: (raw) => (isEmpty(raw) ? null : raw) };
  const [type, parse] = found;
  return { type, read: (raw) => (typeof raw === "string" ? (parse(raw) ?? null) : null) };
}

/** Types of values that are not all texts. */
function typedValues(known: readonly unknown[]): TypedColumn {
  const all = (is: (value: unknown) => boolean) => known.every(is);
  const present = known.filter((value) => !isMissing(value));
  const plain = (raw: unknown) => (isEmpty(raw) || isMissing(raw) ? null : raw);
  if (present.every((value) => typeof value === "boolean")) return { type: "boolean", read: plain };
  if (present.every(Number.isSafeInteger)) return { type: "integer", read: plain };
  if (present.every((value) => typeof value === "number")) return { type: "number", read: plain };
  if (all((value) => Array.isArray(value) && value.every(isScalar))) {
    return {
      type: "list",
      read: (raw) => (Array.isArray(raw) ? raw.filter((one) => one !== null).map(String) : null),
    };
  }
  if (all((value) => typeof value === "object")) return { type: "json", read: (raw) => raw ?? null };
  // lists and single values, as converters from XML write them
  if (all((value) => isScalar(value) || (Array.isArray(value) && value.every(isScalar)))) {
    if (known.some(Array.isArray)) {
      return { type: "list", read: (raw) => (isEmpty(raw) ? null : [raw].flat().map(String)) };
    }
    return { type: "text", read: (raw) => (isEmpty(raw) ? null : String(raw)) };
  }
  return { type: "json", read: (raw) => (isEmpty(raw) ? null : raw) };
}

/** Types of columns with dates: where other values are among them, dates are texts as in a text table. */
function typedDates(known: readonly unknown[]): TypedColumn {
  const dates = known.filter((value) => value instanceof Date);
  const isDay = dates.every((date) => date.getTime() % 86_400_000 === 0);
  const iso = (date: Date) => (isDay ? date.toISOString().slice(0, 10) : date.toISOString().replace(".000", ""));
  if (dates.length === known.length)
    return { type: isDay ? "date" : "date-time", read: (raw) => (raw instanceof Date ? iso(raw) : null) };
  const plain = (raw: unknown) => (raw instanceof Date ? iso(raw) : raw);
  const { type, read } = typedColumn(known.map(plain), { decimalComma: false, isText: false });
  return { type, read: (raw) => read(plain(raw)) };
}

const isScalar = (value: unknown): boolean => value === null || ["string", "number", "boolean"].includes(typeof value);

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1;
};

const day = (year: string, month: string, dayOfMonth: string): string | undefined =>
  isDay(Number(year), Number(month), Number(dayOfMonth))
    ? `${year}-${month.padStart(2, "0")}-${dayOfMonth.padStart(2, "0")}`
    : undefined;

/** ISO dates, `31.12.2024`, and dates with slashes where the column shows which part is the month. */
function dateParser(texts: readonly string[]): Parse {
  const slashed = texts
    .map((text) => /^\s*(\d{1,2})[/-](\d{1,2})[/-]\d{4}\s*$/.exec(text))
    .filter((one) => one !== null);
  const isDayFirst = slashed.some(([, first]) => Number(first) > 12);
  const isMonthFirst = slashed.some(([, , second]) => Number(second) > 12);
  return (text) => {
    const iso = /^\s*(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\s*$/.exec(text);
    if (iso) return day(iso[1] ?? "", iso[3] ?? "", iso[4] ?? "");
    const dotted = /^\s*(\d{1,2})\.(\d{1,2})\.(\d{4})\s*$/.exec(text);
    if (dotted) return day(dotted[3] ?? "", dotted[2] ?? "", dotted[1] ?? "");
    const other = /^\s*(\d{1,2})([/-])(\d{1,2})\2(\d{4})\s*$/.exec(text);
    if (!other || isDayFirst === isMonthFirst) return undefined;
    const [, first = "", , second = "", year = ""] = other;
    return isDayFirst ? day(year, second, first) : day(year, first, second);
  };
}

const DATE_TIME =
  /^\s*(\d{4})(?:-(?=\d\d-)|\/(?=\d\d\/))(\d{2})[-/](\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?\s?(Z|UTC|[-+]\d{2}(?::?\d{2})?)?\s*$/i;

/** ISO 8601 with a `T` or a space, also with slashes as ArcGIS writes it; a text without an offset stays without one. */
function parseDateTime(text: string): string | undefined {
  const found = DATE_TIME.exec(text);
  if (!found) return undefined;
  const [, year = "", month = "", date = "", hour = "", minute = "", second = "00", fraction = "", zone = ""] = found;
  const isValid = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61;
  const on = day(year, month, date);
  if (on === undefined || !isValid) return undefined;
  return `${on}T${hour}:${minute}:${second}${fraction}${offsetOf(zone)}`;
}

function offsetOf(zone: string): string {
  if (zone === "" || /^(z|utc)$/i.test(zone)) return zone === "" ? "" : "Z";
  const digits = zone.replace(":", "").padEnd(5, "0");
  return `${digits.slice(0, 3)}:${digits.slice(3)}`;
}

function jsonText(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function listText(text: string): string[] | undefined {
  const value = jsonText(text);
  return Array.isArray(value) && value.every(isScalar) ? value.filter((one) => one !== null).map(String) : undefined;
}

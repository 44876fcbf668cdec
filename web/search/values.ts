/**
 * Kinds of query parameters: how a text becomes a value, the message if it cannot, and the OpenAPI document.
 * @module
 */
import * as z from "zod/mini";

/** Hono returns a repeated parameter as a list. */
const rawValue = z.union([z.string(), z.array(z.string())]);

type Raw = z.infer<typeof rawValue>;

/** Returns a received value as JSON, for a message; `nothing` for undefined. */
export const show = (value: unknown): string => JSON.stringify(value) ?? "nothing";

/** The list in a comma-separated text, a repeated parameter, or both. Ignores blanks around items and empty items. */
const itemsOf = (raw: Raw): string[] =>
  (typeof raw === "string" ? [raw] : raw)
    .flatMap((text) => text.split(","))
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** Returns a parameter whose texts `parse` turns into a value. A `Fault` becomes the message of an error. */
function parameter<T>(name: string, parse: (raw: Raw) => T | Fault, documented: Documented) {
  const parsed = z.transform((raw: Raw | undefined, { issues }): T | undefined => {
    const value = raw === undefined ? undefined : parse(raw);
    if (!(value instanceof Fault)) return value;
    issues.push({ code: "custom", message: `${name} must be ${value.allowed}, got ${show(raw)}`, input: raw });
    return z.NEVER;
  });
  return z.pipe(z.optional(rawValue), parsed).check(z.meta(documented));
}

class Fault {
  readonly allowed: string;
  constructor(allowed: string) {
    this.allowed = allowed;
  }
}

interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  readonly integer?: boolean;
}

function describeRange({ min, max, integer = false }: NumberRange): string {
  const kind = integer ? "an integer" : "a number";
  if (min === undefined) return kind;
  return max === undefined ? `${kind} of at least ${min}` : `${kind} from ${min} to ${max}`;
}

/**
 * Parses a decimal number, possibly with an exponent; undefined for other texts, including `Infinity`, hexadecimal
 * and blanks.
 */
function parseNumber(text: Raw, { min, max, integer = false }: NumberRange): number | undefined {
  if (typeof text !== "string" || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  const isWithin = value >= (min ?? -Number.MAX_VALUE) && value <= (max ?? Number.MAX_VALUE);
  return isWithin && (!integer || Number.isSafeInteger(value)) ? value : undefined;
}

type Documented = Readonly<Record<string, unknown>>;

interface Described<T> {
  readonly doc: string;
  readonly default?: T;
  readonly example?: unknown;
}

const openapi = <T>({ doc, default: fallback, example }: Described<T>) => ({
  ...(fallback === undefined ? {} : { default: fallback }),
  ...(example === undefined ? {} : { example }),
  param: { description: doc },
});

const openapiList = <T>(
  described: Described<T> & { readonly isEmptyAllowed?: boolean },
  item: Readonly<Record<string, unknown>>,
) => ({
  type: "array" as const,
  items: item,
  ...(described.isEmptyAllowed ? {} : { minItems: 1 }),
  ...openapi(described),
  param: { description: described.doc, style: "form" as const, explode: false },
});

/** Returns a parameter for a number within a range. */
export function numberParameter(name: string, options: NumberRange & Described<number>) {
  const { min, integer = false } = options;
  const max = options.max ?? (integer ? Number.MAX_SAFE_INTEGER : undefined);
  return parameter(name, (raw) => parseNumber(raw, options) ?? new Fault(describeRange(options)), {
    type: integer ? "integer" : "number",
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    ...openapi(options),
  });
}

/** Returns a parameter for a list of numbers within a range, at least one. */
export function numbersParameter(name: string, options: NumberRange & Described<readonly number[]>) {
  return parameter(
    name,
    (raw) => {
      const values = itemsOf(raw).map((item) => parseNumber(item, options));
      const isValid = values.length > 0 && values.every((value) => value !== undefined);
      return isValid ? (values as number[]) : new Fault(`${describeRange(options)}, or several with commas`);
    },
    openapiList(options, { type: options.integer ? "integer" : "number" }),
  );
}

/** Returns a parameter that has one of the choices. Another value is a fault that lists them. */
export function choiceParameter<T extends string>(name: string, choices: readonly [T, ...T[]], options: Described<T>) {
  return parameter(
    name,
    (raw) => choices.find((choice) => choice === raw) ?? new Fault(`one of ${choices.join(", ")}`),
    { type: "string", enum: [...choices], ...openapi(options) },
  );
}

/** Returns a parameter for one or more of the choices, in the order of the choices. */
export function choicesParameter<T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
  options: Described<readonly T[]>,
) {
  return parameter(
    name,
    (raw) => {
      const items = itemsOf(raw);
      const isValid = items.length > 0 && items.every((item) => choices.some((choice) => choice === item));
      return isValid
        ? choices.filter((choice) => items.includes(choice))
        : new Fault(`of ${choices.join(", ")}, several with commas`);
    },
    openapiList(options, { type: "string", enum: [...choices] }),
  );
}

/** Returns a parameter for `true` or `false`. */
export function flagParameter(name: string, options: Described<boolean>) {
  return parameter(name, (raw) => (raw === "true" || raw === "false" ? raw === "true" : new Fault("true or false")), {
    type: "boolean",
    ...openapi(options),
  });
}

/** Returns a parameter for a list of `true` and `false`. */
export function flagsParameter(name: string, options: Described<readonly boolean[]>) {
  return parameter(
    name,
    (raw) => {
      const items = itemsOf(raw);
      const isValid = items.length > 0 && items.every((item) => item === "true" || item === "false");
      return isValid ? items.map((item) => item === "true") : new Fault("true or false, or both with a comma");
    },
    openapiList(options, { type: "boolean" }),
  );
}

interface ListOptions extends Described<readonly string[]> {
  readonly isEmptyAllowed?: boolean;
  /** Pattern that each item must match; default: any text. */
  readonly pattern?: RegExp;
  readonly item?: string;
  /** Returns a message about what is allowed instead of the item; undefined if the item is allowed. */
  readonly allowedFor?: (item: string) => string | undefined;
}

/** Commas separate items, and blank items are ignored. */
const NOT_BLANK = /[^\s,]/;

/** Returns a parameter for a list of texts, with commas between them. An empty list is a fault unless `isEmptyAllowed`. */
export function listParameter(name: string, options: ListOptions) {
  const { isEmptyAllowed = false, pattern, item = "a word", allowedFor = () => undefined } = options;
  return parameter(
    name,
    (raw) => {
      const items = itemsOf(raw);
      const isValid = (items.length > 0 || isEmptyAllowed) && items.every((each) => pattern?.test(each) ?? true);
      if (!isValid) return new Fault(`${item}, or several with commas`);
      const allowed = items.flatMap((each) => allowedFor(each) ?? []);
      return allowed.length === 0 ? items : new Fault(allowed.join("; or "));
    },
    openapiList(options, { type: "string", pattern: (pattern ?? NOT_BLANK).source }),
  );
}

interface TextOptions<T> extends Described<string> {
  readonly allowed: string;
  readonly pattern?: RegExp;
  /** Maximum length in Unicode characters. */
  readonly maxLength?: number;
  /** Whether blanks around the text are removed before it is tested. */
  readonly isTrimmed?: boolean;
  /** Returns the value of a text that matches the pattern and the length; undefined if it is not allowed. */
  readonly parse: (text: string) => T | undefined;
}

/**
 * Returns a parameter for one text that matches `pattern`, has at most `maxLength` characters, and that `parse` accepts. Any
 * other text is a fault.
 */
export function textParameter<T = string>(name: string, options: TextOptions<T>) {
  const { pattern, maxLength = Number.POSITIVE_INFINITY, isTrimmed = false, allowed, parse } = options;
  return parameter(
    name,
    (raw) => {
      if (typeof raw !== "string") return new Fault(allowed);
      const text = isTrimmed ? raw.trim() : raw;
      const isAllowed = Array.from(text).length <= maxLength && (pattern?.test(text) ?? true);
      return (isAllowed ? parse(text) : undefined) ?? new Fault(allowed);
    },
    {
      type: "string",
      ...(pattern ? { pattern: pattern.source } : {}),
      ...(Number.isFinite(maxLength) ? { maxLength } : {}),
      ...openapi(options),
    },
  );
}

/**
 * Every query parameter, defined once: validation, the OpenAPI document and the reference come from here.
 * @module
 */
import { z } from "@hono/zod-openapi";
import type { CollectionName } from "../../data/format/collections.ts";
import { nearest } from "./nearest.ts";
import type { SearchPath } from "./paths.ts";

export const DEFAULT_RADIUS_METERS = 1000;
export const DEFAULT_LIMIT = 1000;
export const MAX_LIMIT = 25_000;

/** Hono gives a repeated parameter as a list. */
const rawValue = z.union([z.string(), z.array(z.string())]);

const show = (value: unknown): string => JSON.stringify(value) ?? "nothing";

interface NumberRange {
  readonly min: number;
  readonly max?: number;
  readonly integer?: boolean;
  readonly default?: number;
  readonly example?: number;
}

function allowed({ min, max, integer = false }: NumberRange): string {
  const kind = integer ? "an integer" : "a number";
  return max === undefined ? `${kind} of at least ${min}` : `${kind} from ${min} to ${max}`;
}

/** A decimal number, within the range. An exponent is allowed; `Infinity`, hexadecimal and blanks are not. */
function numberParameter(name: string, doc: string, range: NumberRange) {
  const { min, max, integer = false } = range;
  return rawValue
    .optional()
    .transform((raw, context) => {
      if (raw === undefined) return range.default;
      const isNumber = typeof raw === "string" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(raw);
      const value = isNumber ? Number(raw) : Number.NaN;
      if (value >= min && value <= (max ?? Number.MAX_VALUE) && (!integer || Number.isSafeInteger(value))) return value;
      context.addIssue({ code: "custom", message: `${name} must be ${allowed(range)}, got ${show(raw)}` });
      return z.NEVER;
    })
    .openapi({
      type: integer ? "integer" : "number",
      minimum: min,
      ...(max === undefined ? {} : { maximum: max }),
      ...(range.default === undefined ? {} : { default: range.default }),
      ...(range.example === undefined ? {} : { example: range.example }),
      param: { description: doc },
    });
}

/** One of the choices. */
function choiceParameter<T extends string>(name: string, doc: string, choices: readonly [T, ...T[]], fallback: T) {
  return rawValue
    .optional()
    .transform((raw, context): T => {
      if (raw === undefined) return fallback;
      const choice = choices.find((c) => c === raw);
      if (choice !== undefined) return choice;
      context.addIssue({ code: "custom", message: `${name} must be one of ${choices.join(", ")}, got ${show(raw)}` });
      return z.NEVER;
    })
    .openapi({ type: "string", enum: [...choices], default: fallback, param: { description: doc } });
}

/** Names separated by commas, or a repeated parameter, or both. */
function listParameter(doc: string, example: string) {
  return rawValue
    .optional()
    .transform((raw) => {
      if (raw === undefined) return undefined;
      const parts = (typeof raw === "string" ? [raw] : raw).flatMap((text) => text.split(","));
      return parts.map((part) => part.trim()).filter((part) => part !== "");
    })
    .openapi({
      type: "array",
      items: { type: "string" },
      param: { description: doc, style: "form", explode: false },
      example: [example],
    });
}

const lat = numberParameter("lat", "Latitude of the centre, degrees. Needs `lng`.", {
  min: -90,
  max: 90,
  example: 40.015,
});
const lng = numberParameter("lng", "Longitude of the centre, degrees. Needs `lat`.", {
  min: -180,
  max: 180,
  example: -105.27,
});
const radius = numberParameter("radius", "Radius around the centre, metres, inclusive.", {
  min: 1,
  default: DEFAULT_RADIUS_METERS,
});
const limit = numberParameter("limit", "Page size.", { min: 1, max: MAX_LIMIT, integer: true, default: DEFAULT_LIMIT });
const page = numberParameter("page", "Page number, from 0.", { min: 0, integer: true, default: 0 });
const format = choiceParameter("format", "Format of the body.", ["json", "csv", "geojson"], "json");
const includes = listParameter("Names of the `properties` to keep; unknown names are ignored.", "names");

const country = rawValue
  .optional()
  .transform((raw, context) => {
    if (raw === undefined) return undefined;
    if (typeof raw === "string" && /^[a-z]{2}$/i.test(raw)) return raw.toUpperCase();
    context.addIssue({
      code: "custom",
      message: `country must be an ISO 3166-1 alpha-2 code of two letters, got ${show(raw)}`,
    });
    return z.NEVER;
  })
  .openapi({ type: "string", example: "MC", param: { description: "Country, ISO 3166-1 alpha-2; case is ignored." } });

const apiKey = rawValue
  .optional()
  .transform((raw) => (typeof raw === "string" ? raw : undefined))
  .openapi({ type: "string", param: { description: "The key, where a header cannot be sent." } });

function typesParameter(choices: readonly [CollectionName, ...CollectionName[]], fallback: readonly CollectionName[]) {
  return rawValue
    .optional()
    .transform((raw, context): readonly CollectionName[] => {
      if (raw === undefined) return fallback;
      const names = (typeof raw === "string" ? [raw] : raw).flatMap((text) => text.split(","));
      const chosen = choices.filter((choice) => names.includes(choice));
      const unknown = names.filter((name) => !choices.some((choice) => choice === name));
      if (unknown.length === 0) return chosen;
      context.addIssue({
        code: "custom",
        message: `types must be of ${choices.join(", ")}, got ${unknown.map(show).join(", ")}`,
      });
      return z.NEVER;
    })
    .openapi({
      type: "array",
      items: { type: "string", enum: [...choices] },
      default: [...fallback],
      param: { description: "Which types to search.", style: "form", explode: false },
    });
}

const COMMON = { lat, lng, radius, country, limit, page, format, includes, api_key: apiKey };

type SearchShape = typeof COMMON & { types: z.ZodOptional<ReturnType<typeof typesParameter>> };

/** The parameters of a search path as one schema; `types` is among them where the path has several. */
export function searchParameters(path: SearchPath): z.ZodObject<SearchShape, z.core.$strict> {
  const types = path.types ? { types: typesParameter(path.types, path.collections) } : {};
  return z.strictObject({ ...COMMON, ...types }) as z.ZodObject<SearchShape, z.core.$strict>;
}

/** Every fault that validation found, one line each; `known` are the names that the path accepts. */
export function faultLines(error: z.ZodError, known: readonly string[]): string[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `${show(key)} is not a parameter here; the nearest is ${nearest(key, known)}`)
      : [issue.message],
  );
}

/** What keeps the location from being complete, one line a fault; empty when it is. Looks at what was sent, valid or not. */
export function locationFaults(sent: ReadonlySet<string>): string[] {
  const has = { lat: sent.has("lat"), lng: sent.has("lng") };
  if (has.lat !== has.lng) {
    const [given, missing] = has.lat ? ["lat", "lng"] : ["lng", "lat"];
    return [`${missing} is required with ${given}, got ${given} alone`];
  }
  if (!has.lat && !sent.has("country")) return ["lat and lng, or country, are required, got neither"];
  return [];
}

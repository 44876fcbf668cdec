/**
 * A search for all interfaces, made from parameters.
 * @module
 */
import type { output, ZodMiniType } from "zod/mini";
import type { Area } from "../../data/format/area.ts";
import { FILTERS, type FilterName, filterNamed } from "../../data/format/filters.ts";
import { queryTermsOf } from "../../data/format/fold.ts";
import { DEFAULT_RADIUS_METERS } from "../../data/format/limits.ts";
import type { OwnSchema } from "../../data/format/own-schema.ts";
import type { ColumnTest, Filters, Query } from "../engine/index.ts";
import { type FormatName, formatNamed } from "./formats.ts";
import { nearestOf } from "./nearest.ts";
import {
  DEFAULT_LIMIT,
  ownParameters,
  type ParameterName,
  type ParameterPath,
  pathParameters,
  type SearchValues,
} from "./parameters.ts";
import { type CountPath, RECORD_PATH, type SearchPath } from "./paths.ts";
import { show } from "./values.ts";

/** Parameters by name, as they were sent. A parameter sent several times is a list. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** A search made from parameters. */
export interface Search {
  /** The query for the engine. It lacks the area of `within`, which is read later. */
  readonly query: Query;
  /** Page number, from 0. */
  readonly page: number;
  readonly limit: number;
  /** Id of the division whose outline limits the records. */
  readonly within: string | undefined;
  /** Name of the release to search; the current one if undefined. */
  readonly release: string | undefined;
  readonly shown: Shown;
}

/** How records are written. */
export interface Shown {
  readonly format: FormatName;
  /** Properties to keep in addition to the id; default: all. */
  readonly properties: ReadonlySet<string> | undefined;
  readonly hasGeometry: boolean;
}

/** Invalid parameters. Each of `faults` names a parameter, its value and what is allowed. */
export class ParameterError extends Error {
  override readonly name = "ParameterError";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("; "));
    this.faults = faults;
  }
}

/** The area of a body or a division exceeds a limit of searches, which `faults` states. */
export class TooLargeError extends ParameterError {}

/**
 * Returns the search of a path. `area` is the area of a request's body, if it has one. Throws `ParameterError` with every
 * fault, also for unknown parameters and a missing location.
 */
export function parseSearch(path: SearchPath | CountPath, parameters: Parameters, area?: Area): Search {
  const sent = plainNames(parameters);
  const { values, faults } = parseValues(path, sent);
  const all = [...faults, ...locationFaults(sent, path, area), ...shapeFaults(values)];
  if (all.length > 0) throw new ParameterError(all);
  const { lat, lng, nearest: most, within, country, release, page = 0, limit = DEFAULT_LIMIT } = values;
  const { radius = most === undefined ? DEFAULT_RADIUS_METERS : Number.POSITIVE_INFINITY } = values;
  const filters = conditionsOf(values, "own" in path ? path.own : undefined);
  return {
    page,
    limit,
    within,
    release,
    shown: shownOf(values),
    query: {
      collections: values.types ?? ("by" in path ? ["place"] : path.collections),
      ...(lat === undefined || lng === undefined ? {} : { circle: { lat, lon: lng, radiusMeters: radius } }),
      ...(most === undefined ? {} : { nearest: most }),
      ...(area ? { area } : {}),
      ...(country === undefined ? {} : { country }),
      ...(Object.keys(filters).length === 0 && !("own" in path) ? {} : { filters }),
      offset: page * limit,
      limit,
    },
  };
}

/** Parses the parameters that say how one record is written. Throws `ParameterError` with every fault. */
export function parseShown(parameters: Parameters): Shown {
  const { values, faults } = parseValues(RECORD_PATH, plainNames(parameters));
  if (faults.length > 0) throw new ParameterError(faults);
  return shownOf(values);
}

/**
 * Parses the parameters of a path that is no search of rows. Throws `ParameterError` with every fault, also for unknown
 * parameters.
 */
export function parseValuesOf<const N extends ParameterName = never>(
  path: ParameterPath & { readonly required?: readonly N[] },
  parameters: Parameters,
): WithRequired<SearchValues, N> {
  const sent = plainNames(parameters);
  const { values, faults } = parseValues(path, sent);
  const all = [...faults, ...missingFaults(path.required ?? [], sent), ...pairFaults(sent)];
  if (all.length > 0) throw new ParameterError(all);
  return values as WithRequired<SearchValues, N>;
}

/** The values of a request, of which the named ones are present. */
export type WithRequired<T, N extends keyof T> = T & { readonly [K in N]-?: NonNullable<T[K]> };

/** Returns a fault if none of the required parameters was sent, otherwise an empty list. (`pairFaults` reports one of two.) */
export function missingFaults(required: readonly string[], sent: ReadonlyMap<string, unknown>): string[] {
  if (required.length === 0 || required.some((name) => sent.has(name))) return [];
  const [isAre, nothing] = required.length === 1 ? ["is", "nothing"] : ["are", "neither"];
  return [`${required.join(" and ")} ${isAre} required, got ${nothing}`];
}

/** Returns the parameters of a query string. */
export function parametersOf(query: URLSearchParams): Parameters {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of query) parameters.set(name, [...(parameters.get(name) ?? []), value]);
  // entries, because a parameter may be named like a member of every object
  return Object.fromEntries(Array.from(parameters, ([name, all]) => [name, all.length === 1 ? (all[0] ?? "") : all]));
}

/** Returns the values as texts, as a URL would contain them. Leaves out undefined values. */
export function sentAs(values: Readonly<Record<string, unknown>>): Parameters {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** Some clients write a list as `includes[]`. */
function plainNames(parameters: Parameters): Map<string, string | readonly string[]> {
  const sent = new Map(Object.entries(parameters));
  const spelled = sent.get("includes[]");
  if (spelled !== undefined) {
    sent.delete("includes[]");
    sent.set("includes", [sent.get("includes") ?? [], spelled].flat());
  }
  return sent;
}

function parseValues(
  path: ParameterPath,
  sent: ReadonlyMap<string, string | readonly string[]>,
): { readonly values: SearchValues; readonly faults: readonly string[] } {
  const schema = pathParameters(path);
  const known = Object.keys(schema.shape);
  const { values, faults } = readValues(schema, Object.fromEntries([...sent].filter(([name]) => known.includes(name))));
  return { values: values ?? {}, faults: [...faults, ...unknownFaults([...sent.keys()], known)] };
}

/** Returns a fault for each sent name that is not among the known ones, with the nearest known name. */
export function unknownFaults(sent: readonly string[], known: readonly string[]): string[] {
  return sent
    .filter((name) => !known.includes(name))
    .map((name) => `${show(name)} is not a parameter here; ${nearestOf(name, known)}`);
}

/** Returns the values that the schema makes of the parameters, and the faults. If there are faults, the values are undefined. */
export function readValues<T extends ZodMiniType>(
  schema: T,
  parameters: Parameters,
): { readonly values: output<T> | undefined; readonly faults: readonly string[] } {
  const { data, error } = schema.safeParse(parameters);
  return { values: data, faults: (error?.issues ?? []).map(({ message }) => message) };
}

/** Faults of an incomplete location, by the names sent, valid or not. */
function locationFaults(
  sent: ReadonlyMap<string, unknown>,
  path: SearchPath | CountPath,
  area: Area | undefined,
): string[] {
  const alone = pairFaults(sent);
  if (alone.length > 0) return alone;
  if (sent.has("nearest") && sent.has("radius") && takes(path, "nearest"))
    return ["nearest is not taken with radius, got both"];
  if (sent.has("nearest") && !sent.has("lat") && takes(path, "nearest")) {
    return ["lat and lng are required with nearest, got neither"];
  }
  if (area && sent.has("within")) return ["within is not taken with an area in the body, got both"];
  if ("by" in path || path.own || path.isLocationOptional || area || sent.has("lat") || sent.has("within")) return [];
  const others = ["country", "within", ...(path.locationOr ?? [])];
  if (others.some((name) => sent.has(name))) return [];
  return [`lat and lng, or ${others.join(" or ")}, are required, got neither`];
}

/** Returns a fault if only one of the two parameters was sent, otherwise an empty list. */
export function pairFaults(
  sent: ReadonlyMap<string, unknown>,
  [lat, lng]: readonly [string, string] = ["lat", "lng"],
): string[] {
  if (sent.has(lat) === sent.has(lng)) return [];
  const [given, missing] = sent.has(lat) ? [lat, lng] : [lng, lat];
  return [`${missing} is required with ${given}, got ${given} alone`];
}

function takes(path: SearchPath | CountPath, name: ParameterName): boolean {
  return path.parameters.includes(name);
}

/** Some formats need shapes. */
function shapeFaults({ format = "json", include_geometry: hasGeometry = true }: SearchValues): string[] {
  if (hasGeometry || !formatNamed(format).needsGeometry) return [];
  return [`include_geometry must be true with format=${format}, got "false"`];
}

function shownOf({ format = "json", includes, include_geometry: hasGeometry = true }: SearchValues): Shown {
  return { format, properties: includes && new Set(includes), hasGeometry };
}

/** The columns of the filters that also find records without a value. */
function unknownColumns({ include_unknown: names = [] }: SearchValues, own: OwnSchema | undefined): Set<string> {
  const columns = own && ownParameters(own);
  return new Set(
    names.flatMap((name) => {
      const filter = name in FILTERS ? filterNamed(name as FilterName) : undefined;
      const column = columns?.get(name)?.column ?? (filter && "column" in filter ? filter.column : undefined);
      return column ?? [];
    }),
  );
}

/** The conditions of the filters, and the terms that rows must have. */
function conditionsOf(values: SearchValues, own: OwnSchema | undefined): Filters {
  const unknown = unknownColumns(values, own);
  const terms: (readonly string[])[] = [];
  const atLeast: Record<string, number> = {};
  const atMost: Record<string, number> = {};
  for (const name of Object.keys(FILTERS) as FilterName[]) {
    const value = values[name];
    if (value === undefined) continue;
    const filter = filterNamed(name);
    if ("column" in filter) (filter.kind === "least" ? atLeast : atMost)[filter.column] = Number(value);
    else if (filter.kind === "words")
      terms.push(...queryTermsOf(String(value)).map((word) => [`${filter.facet}:${word}`]));
    else {
      const fold = filter.kind === "text" ? filter.fold : undefined;
      terms.push([value].flat().map((item) => `${filter.facet}:${fold ? fold(String(item)) : item}`));
    }
  }
  const columns: ColumnTest[] = [];
  for (const [name, { column, conditionOf }] of own ? ownParameters(own) : []) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    const condition = conditionOf(value, unknown.has(column));
    if (condition.terms) terms.push(condition.terms);
    if (condition.test) columns.push(condition.test);
  }
  const tested = new Set([...Object.keys(atLeast), ...Object.keys(atMost), ...columns.map(({ column }) => column)]);
  const orUnknown = [...unknown].filter((column) => tested.has(column));
  return {
    ...(columns.length === 0 ? {} : { columns }),
    ...(terms.length === 0 ? {} : { terms }),
    ...(Object.keys(atLeast).length === 0 ? {} : { atLeast }),
    ...(Object.keys(atMost).length === 0 ? {} : { atMost }),
    ...(orUnknown.length === 0 ? {} : { orUnknown }),
    ...(values.bbox === undefined ? {} : { bbox: values.bbox }),
  };
}

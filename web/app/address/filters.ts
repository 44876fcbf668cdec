/** The filters of each search path, as texts under their names in the REST interface. @module */
import type { CollectionName } from "../../../data/format/collections.ts";
import {
  FILTERS,
  filterNamed,
  type FilterName as InterfaceFilter,
  mayIncludeUnknown,
} from "../../../data/format/filters.ts";
import { isOwnName } from "../../../data/format/own-collections.ts";
import {
  DATE,
  FLAGS,
  hasWords,
  mayIncludeUnknown as mayIncludeUnknownOf,
  NUMBER,
  type OwnFilter,
} from "../../../data/format/own-filters.ts";
import type { OwnColumn } from "../../../data/format/own-schema.ts";
import { ownFiltersOf, type Path, servedUnder } from "./paths.ts";

export type FilterName = InterfaceFilter | "types";
/** Values by name of the filter. A collection with its own schema also has filters named after its columns. */
export type Filters = Readonly<Partial<Record<FilterName, string>>> & { readonly [column: string]: string | undefined };

export const OPERATING_STATUSES = FILTERS.operating_status.choices;
export const CONTACTS = FILTERS.has_contact.choices;

/** Filters in display order: `types` before the filters that only some types have. */
const NAMES: readonly FilterName[] = (Object.keys(FILTERS) as InterfaceFilter[]).flatMap((name) =>
  name === "subtype" ? (["types", name] as const) : [name],
);

/** Returns the filters of a path in display order, which is also their order in URLs. */
export function filtersOf(path: Path): readonly FilterName[] {
  const { parameters, types } = servedUnder(path);
  const taken: ReadonlySet<string> = new Set([...parameters, ...(types ? ["types"] : [])]);
  return NAMES.filter((name) => taken.has(name));
}

/** Returns the types that the path can search, the values of its filter `types`; empty if it has no such filter. */
export function typesOf(path: Path): readonly string[] {
  return servedUnder(path).types ?? [];
}

/** Returns the collections that a search of the path reads: its default ones, or those chosen by `types`. */
export function collectionsOf(path: Path, { types }: Filters): readonly CollectionName[] {
  const { collections, types: choices = [] } = servedUnder(path);
  return types === undefined ? collections : choices.filter((choice) => itemsOf(types).includes(choice));
}

/**
 * Returns whether a search of the path can run without a circle, an area and a country: one of the filters replaces them, or the
 * path is a collection with its own schema.
 */
export function isLocated(path: Path, filters: Filters): boolean {
  const { locationOr = [] } = servedUnder(path);
  return isOwnName(path) || locationOr.some((name) => name in filters);
}

/** Name of the filter that lists other filters. These then also find rows that have no value in their column. */
export const INCLUDE_UNKNOWN = "include_unknown";

/** Returns the column of the filter if `include_unknown` can list the filter; undefined if it cannot. */
export function columnOfUnknown(path: Path, name: string): string | undefined {
  if (isOwnName(path)) {
    const own = ownFilterNamed(path, name);
    return own && mayIncludeUnknownOf(own) ? own.column.name : undefined;
  }
  const filter = name in FILTERS ? filterNamed(name as InterfaceFilter) : undefined;
  return filter && "column" in filter && mayIncludeUnknown(filter) ? filter.column : undefined;
}

/**
 * Returns whether the named filter also finds rows without a value: `include_unknown` lists it, or another filter of the same
 * column.
 */
export function includesUnknown(path: Path, filters: Filters, name: string): boolean {
  const column = columnOfUnknown(path, name);
  return (
    column !== undefined && itemsOf(filters[INCLUDE_UNKNOWN]).some((item) => columnOfUnknown(path, item) === column)
  );
}

/**
 * Returns the filter of a column of a collection with its own schema; undefined for other names, and before the dataset is read.
 */
export function ownFilterNamed(path: Path, name: string): OwnFilter | undefined {
  return ownFiltersOf(path)?.find((filter) => filter.name === name);
}

/** Returns the column that contains the names of the records of a collection with its own schema; undefined without one. */
export function nameColumnOf(path: Path): OwnColumn | undefined {
  return ownFiltersOf(path)?.find(({ column, kind }) => kind === "words" && column.role === "name")?.column;
}

/**
 * Returns the value in the form that URLs have; undefined if the path lacks the filter or the value is invalid. Before the
 * dataset is read, filters of columns are not known, and any text except an empty one is valid.
 */
export function parseFilter(path: Path, name: string, value: string): string | undefined {
  const text = value.trim();
  if (isFilterName(name)) return filtersOf(path).includes(name) ? parseFixed(path, name, text) : undefined;
  const own = ownFilterNamed(path, name);
  if (own) return parseOwn(own, text);
  if (name === INCLUDE_UNKNOWN && (!isOwnName(path) || ownFiltersOf(path))) return parseUnknown(path, text);
  return isOwnName(path) && !ownFiltersOf(path) ? text || undefined : undefined;
}

/** Parses the list of `include_unknown`. Of several filters of the same column, only the first stays. */
function parseUnknown(path: Path, text: string): string | undefined {
  const items = itemsOf(text);
  const columns = items.map((item) => columnOfUnknown(path, item));
  if (items.length === 0 || columns.includes(undefined)) return undefined;
  return items.filter((_, index) => columns.indexOf(columns[index]) === index).join(",");
}

function parseOwn({ kind }: OwnFilter, text: string): string | undefined {
  const items = itemsOf(text);
  switch (kind) {
    case "flags":
      return chosen(items, FLAGS);
    case "values":
      return items.length > 0 ? items.join(",") : undefined;
    case "numbers":
      return items.length > 0 && items.every(isNumber) ? items.map(Number).join(",") : undefined;
    case "number":
      return isNumber(text) ? String(Number(text)) : undefined;
    case "date":
      return DATE.test(text) ? text : undefined;
    case "words":
      return hasWords(text) ? text : undefined;
  }
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && Number.isFinite(Number(text));
}

/**
 * Returns what a filter of a column allows, for an error message: the choices, or an example. Undefined for words, lists of
 * values, and other filters.
 */
export function allowedValue(path: Path, name: string): string | undefined {
  switch (ownFilterNamed(path, name)?.kind) {
    case "flags":
      return FLAGS.join("/");
    case "numbers":
    case "number":
      return "12.5";
    case "date":
      return "2026/2026-11/2026-11-28";
    default:
      return undefined;
  }
}

function parseFixed(path: Path, name: FilterName, text: string): string | undefined {
  const items = itemsOf(text);
  if (name === "types") return chosen(items, typesOf(path));
  const filter = filterNamed(name);
  switch (filter.kind) {
    case "words":
      return filter.isValid(text) ? text : undefined;
    case "text":
      return filter.pattern.test(text) ? text : undefined;
    case "list":
      return items.length > 0 ? items.join(",") : undefined;
    case "choices":
      return chosen(items, filter.choices);
    case "least":
    case "most":
      return isBetween(text, filter) ? String(Number(text)) : undefined;
    case "integers": {
      const isSound = items.length > 0 && items.every((item) => /^\d+$/.test(item) && isBetween(item, filter));
      return isSound ? items.join(",") : undefined;
    }
  }
}

/** Returns the items in the order of the choices; undefined if there is none or one is not a choice. */
function chosen(items: readonly string[], choices: readonly string[]): string | undefined {
  const isKnown = items.length > 0 && items.every((item) => choices.includes(item));
  return isKnown ? choices.filter((choice) => items.includes(choice)).join(",") : undefined;
}

/** Returns the filters that the path accepts, with their valid values in the form of URLs; all others are left out. */
export function keptFilters(path: Path, filters: Filters): Readonly<Record<string, string>> {
  const others = Object.keys(filters).filter((name) => !isFilterName(name));
  const columns = ownFiltersOf(path)?.map(({ name }) => name) ?? others;
  const kept = [...NAMES, ...columns].flatMap((name): [string, string][] => {
    const value = filters[name] === undefined ? undefined : parseFilter(path, name, filters[name]);
    return value === undefined || name === INCLUDE_UNKNOWN ? [] : [[name, value]];
  });
  const unknown = keptUnknown(path, filters, kept);
  return Object.fromEntries(unknown === undefined ? kept : [...kept, [INCLUDE_UNKNOWN, unknown]]);
}

/**
 * Returns the list of `include_unknown` without filters that are not set; undefined if nothing is left. Before the dataset is
 * read, returns the whole list.
 */
function keptUnknown(
  path: Path,
  { [INCLUDE_UNKNOWN]: list = "" }: Filters,
  kept: readonly (readonly [string, string])[],
): string | undefined {
  const known = parseFilter(path, INCLUDE_UNKNOWN, list);
  if (known === undefined || (isOwnName(path) && !ownFiltersOf(path))) return known;
  const set = new Set(kept.map(([name]) => columnOfUnknown(path, name)));
  const items = itemsOf(known).filter((item) => set.has(columnOfUnknown(path, item)));
  return items.length === 0 ? undefined : items.join(",");
}

/** Returns the items of a text separated by commas, trimmed and without empty ones. */
export function itemsOf(value: string | undefined): string[] {
  return (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Whether the name is a fixed filter, not one of a column. */
function isFilterName(name: string): name is FilterName {
  return NAMES.some((known) => known === name);
}

function isBetween(text: string, { min, max }: { min: number; max: number }): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) && Number(text) >= min && Number(text) <= max;
}

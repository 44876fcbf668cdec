/** The filters of each search path, as text under their REST names. @module */
import type { CollectionName } from "../../../data/format/collections.ts";
import { FILTERS, filterNamed, type FilterName as InterfaceFilter } from "../../../data/format/filters.ts";
import { type Path, servedUnder } from "./paths.ts";

export type FilterName = InterfaceFilter | "types";
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

export const OPERATING_STATUSES = FILTERS.operating_status.choices;
export const CONTACTS = FILTERS.has_contact.choices;

/** Types come before the columns that they have. */
const NAMES: readonly FilterName[] = (Object.keys(FILTERS) as InterfaceFilter[]).flatMap((name) =>
  name === "subtype" ? (["types", name] as const) : [name],
);

/** Returns the filters of a path in display order, which is also their order in URLs. */
export function filtersOf(path: Path): readonly FilterName[] {
  const { parameters, types } = servedUnder(path);
  const taken: ReadonlySet<string> = new Set([...parameters, ...(types ? ["types"] : [])]);
  return NAMES.filter((name) => taken.has(name));
}

/** Returns the values of `types`; empty if the path has only one. */
export function typesOf(path: Path): readonly string[] {
  return servedUnder(path).types ?? [];
}

/** Returns the collections to search. */
export function collectionsOf(path: Path, { types }: Filters): readonly CollectionName[] {
  const { collections, types: choices = [] } = servedUnder(path);
  return types === undefined ? collections : choices.filter((choice) => itemsOf(types).includes(choice));
}

/** Whether the filters replace a circle or a country. */
export function isLocated(path: Path, filters: Filters): boolean {
  const { locationOr = [] } = servedUnder(path);
  return locationOr.some((name) => name in filters);
}

/** Returns the canonical value of a filter; undefined if invalid. */
export function parseFilter(path: Path, name: FilterName, value: string): string | undefined {
  if (!filtersOf(path).includes(name)) return undefined;
  const text = value.trim();
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
      return isBetween(text, filter) ? String(Number(text)) : undefined;
    case "integers": {
      const isSound = items.length > 0 && items.every((item) => /^\d+$/.test(item) && isBetween(item, filter));
      return isSound ? items.join(",") : undefined;
    }
  }
}

/** The items in the order of the choices; undefined if one is not a choice. */
function chosen(items: readonly string[], choices: readonly string[]): string | undefined {
  const isKnown = items.length > 0 && items.every((item) => choices.includes(item));
  return isKnown ? choices.filter((choice) => items.includes(choice)).join(",") : undefined;
}

/** Returns the filters that another path accepts too. */
export function keptFilters(path: Path, filters: Filters): Filters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = filters[name] === undefined ? undefined : parseFilter(path, name, filters[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the items of a list's text. */
export function itemsOf(value: string | undefined): string[] {
  return (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Whether the name is a filter. */
export function isFilterName(name: string): name is FilterName {
  return NAMES.some((known) => known === name);
}

function isBetween(text: string, { min, max }: { min: number; max: number }): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) && Number(text) >= min && Number(text) <= max;
}

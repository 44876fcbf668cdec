/** The filters of each search path, as text under their REST names. @module */
import type { CollectionName } from "../../../data/format/collections.ts";
import { FILTERS, filterNamed, type FilterName as InterfaceFilter } from "../../../data/format/filters.ts";
import { type Path, servedUnder } from "./paths.ts";

/** Those of the interface, and which of a path's types are searched. */
export type FilterName = InterfaceFilter | "types";
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

export const OPERATING_STATUSES = FILTERS.operating_status.choices;
export const CONTACTS = FILTERS.has_contact.choices;

/** Types stand before the columns that they have. */
const NAMES: readonly FilterName[] = (Object.keys(FILTERS) as InterfaceFilter[]).flatMap((name) =>
  name === "subtype" ? (["types", name] as const) : [name],
);

/** The filters that a path takes, in the order in which they are shown and stand in addresses. */
export function filtersOf(path: Path): readonly FilterName[] {
  const { parameters, types } = servedUnder(path);
  const taken: ReadonlySet<string> = new Set([...parameters, ...(types ? ["types"] : [])]);
  return NAMES.filter((name) => taken.has(name));
}

/** The values of `types`; none where a path has but one type. */
export function typesOf(path: Path): readonly string[] {
  return servedUnder(path).types ?? [];
}

/** The collections that are searched. */
export function collectionsOf(path: Path, { types }: Filters): readonly CollectionName[] {
  const { collections, types: choices = [] } = servedUnder(path);
  return types === undefined ? collections : choices.filter((choice) => itemsOf(types).includes(choice));
}

/** Whether the filters stand in for a circle or a country. */
export function isLocated(path: Path, filters: Filters): boolean {
  const { locationOr = [] } = servedUnder(path);
  return locationOr.some((name) => name in filters);
}

/** The filter's value in its one form; undefined when the path does not take it. */
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

/** The items in the order of the choices; undefined when one is none of them. */
function chosen(items: readonly string[], choices: readonly string[]): string | undefined {
  const isKnown = items.length > 0 && items.every((item) => choices.includes(item));
  return isKnown ? choices.filter((choice) => items.includes(choice)).join(",") : undefined;
}

/** Those of the filters that another path takes too. */
export function keptFilters(path: Path, filters: Filters): Filters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = filters[name] === undefined ? undefined : parseFilter(path, name, filters[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The items of a list's text. */
export function itemsOf(value: string | undefined): string[] {
  return (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

export function isFilterName(name: string): name is FilterName {
  return NAMES.some((known) => known === name);
}

function isBetween(text: string, { min, max }: { min: number; max: number }): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) && Number(text) >= min && Number(text) <= max;
}

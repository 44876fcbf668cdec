/**
 * The filters of each search path, as texts under their REST names.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { isSearchable } from "../../../data/format/fold.ts";
import { SEARCH_PATHS } from "../../search/paths.ts";
import type { Path } from "./search.ts";

type Rule =
  | { readonly kind: "text"; readonly isValid?: (text: string) => boolean }
  /** Words with commas between them. */
  | { readonly kind: "list" }
  | { readonly kind: "choices"; readonly choices: readonly string[] }
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "integers"; readonly min: number; readonly max: number };

export const OPERATING_STATUSES = ["open", "temporarily_closed", "permanently_closed"] as const;
export const CONTACTS = ["website", "phone", "email", "social"] as const;

const RULES = {
  name: { kind: "text", isValid: isSearchable },
  categories: { kind: "list" },
  taxonomy: { kind: "list" },
  brand_name: { kind: "text" },
  brand_wikidata: { kind: "text", isValid: (text) => /^Q\d+$/.test(text) },
  operating_status: { kind: "choices", choices: OPERATING_STATUSES },
  has_contact: { kind: "choices", choices: CONTACTS },
  min_confidence: { kind: "number", min: 0, max: 1 },
  source: { kind: "text" },
  types: { kind: "choices", choices: [] },
  subtype: { kind: "list" },
  class: { kind: "list" },
  admin_level: { kind: "integers", min: 0, max: 16 },
} as const satisfies Readonly<Record<string, Rule>>;

export type FilterName = keyof typeof RULES;
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

const NAMES = Object.keys(RULES) as FilterName[];

/** The filters that a path takes, in the order in which they are shown and stand in addresses. */
export function filtersOf(path: Path): readonly FilterName[] {
  const { parameters, types } = served(path);
  const taken: ReadonlySet<string> = new Set([...parameters, ...(types ? ["types"] : [])]);
  return NAMES.filter((name) => taken.has(name));
}

/** The values of `types`; none where a path has but one type. */
export function typesOf(path: Path): readonly string[] {
  return served(path).types ?? [];
}

/** The collections that are searched. */
export function collectionsOf(path: Path, { types }: Filters): readonly CollectionName[] {
  const { collections, types: choices = [] } = served(path);
  return types === undefined ? collections : choices.filter((choice) => itemsOf(types).includes(choice));
}

/** Whether the filters stand in for a circle or a country. */
export function isLocated(path: Path, filters: Filters): boolean {
  const { locationOr = [] } = served(path);
  return locationOr.some((name) => name in filters);
}

/** The filter's value in its one form; undefined when the path does not take it. */
export function parseFilter(path: Path, name: FilterName, value: string): string | undefined {
  if (!filtersOf(path).includes(name)) return undefined;
  const rule: Rule = name === "types" ? { kind: "choices", choices: typesOf(path) } : RULES[name];
  const text = value.trim();
  const items = itemsOf(text);
  switch (rule.kind) {
    case "text":
      return text !== "" && (rule.isValid?.(text) ?? true) ? text : undefined;
    case "list":
      return items.length > 0 ? items.join(",") : undefined;
    case "choices": {
      const isKnown = items.length > 0 && items.every((item) => rule.choices.includes(item));
      return isKnown ? rule.choices.filter((choice) => items.includes(choice)).join(",") : undefined;
    }
    case "number":
      return isBetween(text, rule) ? String(Number(text)) : undefined;
    case "integers": {
      const isSound = items.length > 0 && items.every((item) => /^\d+$/.test(item) && isBetween(item, rule));
      return isSound ? items.join(",") : undefined;
    }
  }
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
  return name in RULES;
}

function isBetween(text: string, { min, max }: { min: number; max: number }): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) && Number(text) >= min && Number(text) <= max;
}

function served(path: Path) {
  const found = SEARCH_PATHS.find((known) => known.path === `/${path}`);
  if (!found) throw new Error(`no path /${path}`);
  return found;
}

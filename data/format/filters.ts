/**
 * Defines each filter of a search, except location and id. The REST parameters, the OpenAPI document, the page's fields
 * and its SQL are made from these definitions. Terms are in `terms.ts`.
 * @module
 */
import { isSearchable } from "./fold.ts";
import { CONTACTS, type Contact, type Facet, foldBrand } from "./terms.ts";

/** REST paths that accept the filter: places, types with a class, buildings, roads, divisions, addresses. */
type Group = "place" | "classified" | "building" | "road" | "division" | "address";

interface Described {
  readonly groups: readonly Group[];
  /** The same condition in DuckDB; `?` is the value, or comma-separated values. Absent if SQL cannot express it. */
  readonly sql?: string;
}

/** Rows that have one of the terms. */
interface TermFilter extends Described {
  readonly facet: Facet;
}

export type Filter =
  /** Each word is a term. */
  | (TermFilter & {
      readonly kind: "words";
      readonly example: string;
      readonly allowed: string;
      readonly isValid: (text: string) => boolean;
    })
  /** One text, unchanged except for `fold`. */
  | (TermFilter & {
      readonly kind: "text";
      readonly example: string;
      readonly allowed: string;
      /** Pattern of the trimmed text. */
      readonly pattern: RegExp;
      readonly fold?: (text: string) => string;
    })
  /** One or more words. */
  | (TermFilter & { readonly kind: "list"; readonly example: readonly string[] })
  /** One or more of these choices. */
  | (TermFilter & { readonly kind: "choices"; readonly choices: readonly [string, ...string[]] })
  /** One or more integers. */
  | (TermFilter & {
      readonly kind: "integers";
      readonly min: number;
      readonly max: number;
      readonly example: readonly number[];
    })
  /** The minimum or the maximum of a column, inclusive. */
  | (Described & {
      readonly kind: "least" | "most";
      readonly column: string;
      readonly min: number;
      readonly max: number;
    });

/** A filter with a bound of a column. */
type BoundFilter = Extract<Filter, { readonly column: string }>;

/** All filters by the name of the REST parameter, in the order in which the page shows them. */
export const FILTERS = {
  name: {
    kind: "words",
    facet: "name",
    groups: ["place", "classified", "division", "address"],
    example: "caf",
    allowed: "text of at least 2 letters or digits, 1 in Han, Hangul or kana",
    isValid: isSearchable,
  },
  categories: {
    kind: "list",
    facet: "category",
    groups: ["place"],
    example: ["cafe"],
    sql: "list_has_any(list_append(categories.alternate, categories.primary), [?])",
  },
  taxonomy: {
    kind: "list",
    facet: "taxonomy",
    groups: ["place"],
    example: ["eat_and_drink"],
    sql: "list_has_any(list_append(taxonomy.hierarchy, taxonomy.primary), [?])",
  },
  brand_name: {
    kind: "text",
    facet: "brand",
    groups: ["place"],
    example: "Starbucks",
    allowed: "a name, given once",
    pattern: /\S/,
    fold: foldBrand,
    sql: "lower(brand.names.primary) = lower(?)",
  },
  brand_wikidata: {
    kind: "text",
    facet: "wikidata",
    groups: ["place"],
    example: "Q37158",
    allowed: "a Wikidata item such as Q37158",
    pattern: /^Q[0-9]+$/,
    sql: "brand.wikidata = ?",
  },
  operating_status: {
    kind: "choices",
    facet: "status",
    groups: ["place"],
    choices: ["open", "temporarily_closed", "permanently_closed"],
    sql: "operating_status IN (?)",
  },
  has_contact: {
    kind: "choices",
    facet: "contact",
    groups: ["place"],
    choices: Object.keys(CONTACTS) as [Contact, ...Contact[]],
    sql: `list_has_any([${Object.entries(CONTACTS)
      .map(([kind, column]) => `if(len(list_filter(${column}, lambda c: c <> '')) > 0, '${kind}', NULL)`)
      .join(", ")}], [?])`,
  },
  min_confidence: {
    kind: "least",
    column: "confidence",
    groups: ["place"],
    min: 0,
    max: 1,
    sql: "confidence >= ?",
  },
  source: {
    kind: "text",
    facet: "source",
    groups: ["place"],
    example: "OpenStreetMap",
    allowed: "the name of a dataset, given once",
    pattern: /\S/,
    sql: "list_contains(list_transform(sources, lambda s: s.dataset), ?)",
  },
  subtype: {
    kind: "list",
    facet: "subtype",
    groups: ["classified", "division"],
    example: ["residential"],
    sql: "subtype IN (?)",
  },
  class: {
    kind: "list",
    facet: "class",
    groups: ["classified"],
    example: ["house"],
    sql: "class IN (?)",
  },
  min_height: {
    kind: "least",
    column: "height",
    groups: ["building"],
    min: 0,
    max: 10_000,
    sql: "height >= ?",
  },
  max_height: {
    kind: "most",
    column: "height",
    groups: ["building"],
    min: 0,
    max: 10_000,
    sql: "height <= ?",
  },
  min_floors: {
    kind: "least",
    column: "num_floors",
    groups: ["building"],
    min: 0,
    max: 1000,
    sql: "num_floors >= ?",
  },
  max_floors: {
    kind: "most",
    column: "num_floors",
    groups: ["building"],
    min: 0,
    max: 1000,
    sql: "num_floors <= ?",
  },
  surface: {
    kind: "list",
    facet: "surface",
    groups: ["road"],
    example: ["gravel"],
    sql: "list_has_any(list_transform(road_surface, lambda s: s.value), [?])",
  },
  speed_limit: {
    kind: "list",
    facet: "speed",
    groups: ["road"],
    example: ["50kmh"],
    sql: "list_has_any(list_transform(speed_limits, lambda s: s.max_speed.value || replace(s.max_speed.unit, '/', '')), [?])",
  },
  admin_level: {
    kind: "integers",
    facet: "level",
    groups: ["division"],
    min: 0,
    max: 16,
    example: [1],
    sql: "admin_level IN (?)",
  },
} as const satisfies Readonly<Record<string, Filter>>;

export type FilterName = keyof typeof FILTERS;

/** A column with a minimum filter. */
export type LeastColumn = Extract<(typeof FILTERS)[FilterName], { kind: "least" }>["column"];
export const LEAST_COLUMNS: readonly LeastColumn[] = Object.values(FILTERS).flatMap((filter) =>
  filter.kind === "least" ? [filter.column] : [],
);

/** Returns the names of the filters that a group of paths accepts, in the order of `FILTERS`. */
export function filtersOf(group: Group): readonly FilterName[] {
  const names = Object.keys(FILTERS) as FilterName[];
  return names.filter((name) => filterNamed(name).groups.includes(group));
}

/**
 * Returns whether a search with this filter can also include rows that have no value in its column. Only filters with a
 * minimum or maximum can.
 */
export function mayIncludeUnknown(filter: Filter): filter is BoundFilter {
  return "column" in filter;
}

/** Returns the filter as type `Filter`, where `FILTERS` has its literal type. */
export function filterNamed(name: FilterName): Filter {
  return FILTERS[name];
}

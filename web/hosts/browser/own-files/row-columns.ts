/** Finds which columns of a visitor's file correspond to columns of the dataset, so that the same filters apply. @module */
import { countryCode } from "../../../../data/format/country-code.ts";
import { LEAST_COLUMNS } from "../../../../data/format/filters.ts";
import { type Json, listOf, objectOf } from "../../../../data/format/json.ts";
import type { Role } from "../../../../data/format/own-schema.ts";
import { CONTACTS, type Contact, type Facet, foldBrand, speedText } from "../../../../data/format/terms.ts";
import {
  coordinateColumns,
  geometryColumn,
  isLikeNames,
  parseJson,
  rolesByName,
  SAMPLED_ROWS,
} from "../../../../data/tables/index.ts";
import type { ColumnUse } from "../protocol/index.ts";
import type { FileRow } from "./read-file.ts";

type Properties = FileRow["properties"];

/** Column names after `plainName`, the most likely first. */
const TITLES = [
  ["names", "names_primary"],
  ["name", "title", "label"],
  ["nom", "nombre", "bezeichnung", "名前", "名称", "الاسم"],
].flat();
/** Columns with names in a language: `name:fr` of OpenStreetMap, `names.common.fr` of a flattened Overture file. */
const OTHER_NAME = /^(name|names_common)_[a-z]{2,3}$/;
const COUNTRIES = [
  ["country", "country_code", "countrycode", "country_name", "addr_country", "addresses", "addresses_country"],
  ["iso_a2", "iso2", "iso_3166_1", "iso_3166_1_alpha_2", "admin", "admin0"],
  ["land", "staat", "pays", "país", "pais", "国", "国名", "الدولة", "البلد"],
].flat();
/** Facets that files can have. `column` is of collections of a dataset only. */
export type FileFacet = Exclude<Facet, "name" | "column">;
const FACET_COLUMNS: Readonly<Record<FileFacet, readonly string[]>> = {
  category: ["categories", "categories_primary", "categories_alternate", "category", "main_category"],
  taxonomy: ["taxonomy", "taxonomy_primary", "taxonomy_hierarchy"],
  brand: ["brand", "brand_name", "brand_names_primary"],
  wikidata: ["brand", "brand_wikidata"],
  status: ["operating_status", "status"],
  source: ["sources", "source"],
  contact: Object.values(CONTACTS).flatMap((plural) => [plural, plural.slice(0, -1)]),
  subtype: ["subtype"],
  class: ["class"],
  level: ["admin_level"],
  surface: ["road_surface", "surface"],
  speed: ["speed_limits"],
  division: ["division_id"],
};
const FACETS = Object.keys(FACET_COLUMNS) as (keyof typeof FACET_COLUMNS)[];
/** The use of columns whose name has this role in one of ten languages. */
const ROLE_USES: Readonly<Partial<Record<Role, ColumnUse>>> = {
  name: "name",
  names: "name",
  category: "category",
  ...{ phone: "contact", website: "contact", email: "contact" },
};
/** Facets whose values are words of the schema: `Coffee shop` becomes `coffee_shop`. */
const WORDED: ReadonlySet<Facet> = new Set(["category", "taxonomy", "status", "subtype", "class", "surface"]);

/** The use of each column of a file. */
export interface FileColumns {
  /** Columns by their use in searches, the most likely first. */
  readonly uses: ReadonlyMap<ColumnUse, readonly string[]>;
  /** Columns that no search uses, except those that hold the position. */
  readonly others: readonly string[];
  readonly roles: ReadonlyMap<string, Role>;
}

/** Finds the use of columns by their names. If no name is that of a title, finds the column of titles by its values. */
export function columnsOf(rows: readonly Pick<FileRow, "properties">[]): FileColumns {
  const names = [...new Set(rows.flatMap(({ properties }) => Object.keys(properties)))];
  const named = (wanted: readonly string[]) => wanted.flatMap((one) => names.filter((name) => plainName(name) === one));
  const roles = rolesByName(names);
  const uses = new Map<ColumnUse, readonly string[]>();
  const put = (use: ColumnUse, columns: readonly string[]): void => {
    const byRole = names.filter((name) => ROLE_USES[roles.get(name) ?? "date"] === use);
    const all = [...new Set([...columns, ...byRole])];
    if (all.length > 0) uses.set(use, all);
  };
  put("name", [...named(TITLES), ...names.filter((name) => OTHER_NAME.test(plainName(name)))]);
  // lists of addresses contain the country, in addition to other uses
  put("country", named(COUNTRIES));
  for (const column of LEAST_COLUMNS) put(column, named([column]));
  for (const facet of FACETS) put(facet, named(FACET_COLUMNS[facet]));
  const location = Object.values(coordinateColumns(names) ?? {});
  const used = new Set([...uses.values(), location, geometryColumn(names) ?? []].flat());
  const others = names.filter((name) => !used.has(name));
  if (!uses.has("name")) {
    const sample = rows.slice(0, SAMPLED_ROWS);
    const guessed = others.find((name) => {
      const texts = sample.map(({ properties }) => properties[name]).filter((value) => typeof value === "string");
      return !roles.has(name) && isLikeNames(texts, sample.length);
    });
    if (guessed !== undefined) uses.set("name", others.splice(others.indexOf(guessed), 1));
  }
  return { uses, others, roles };
}

/** Returns the title of a row: from a column of titles, otherwise the first text with a letter. Undefined without one. */
export function titleOf(properties: Properties, { uses }: FileColumns): string | undefined {
  const named = (uses.get("name") ?? []).map((column) => {
    const value = partsOf(properties[column]);
    return objectOf(value)?.primary ?? value;
  });
  const first = Object.values(properties).filter((value) => typeof value === "string" && /\p{L}/u.test(value));
  const title = [...named, ...first].find(isTitle);
  return title === undefined ? undefined : String(title);
}

/** Returns all names of the row, including its title. */
export function namesOf(properties: Properties, columns: FileColumns): readonly string[] {
  const title = titleOf(properties, columns);
  const others = (columns.uses.get("name") ?? []).flatMap((column) => {
    const value = partsOf(properties[column]);
    const names = objectOf(value);
    if (!names) return textsOf(value);
    const rules = listOf(names.rules).map((rule) => objectOf(rule)?.value);
    return [names.primary, ...Object.values(objectOf(names.common) ?? {}), ...rules].flatMap(textsOf);
  });
  return [...new Set([...(title === undefined ? [] : [title]), ...others])];
}

/** Returns the ISO 3166-1 alpha-2 code of the row's country; undefined if no column has a known country. */
export function countryOf(properties: Properties, { uses }: FileColumns): string | undefined {
  for (const column of uses.get("country") ?? []) {
    const value = partsOf(properties[column]);
    const texts = [value, ...listOf(value).map((item) => objectOf(item)?.country), objectOf(value)?.country];
    const code = texts.flatMap(textsOf).map(countryCode).find(Boolean);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Returns the first number in these columns; undefined without one. A decimal comma in a text is allowed. */
export function numberOf(properties: Properties, columns: readonly string[]): number | undefined {
  for (const column of columns) {
    const value = properties[column];
    const number = typeof value === "string" && value.trim() !== "" ? Number(value.replace(",", ".")) : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
  }
  return undefined;
}

/** Returns the row's values of a facet, in the form in which the dataset's terms have them. */
export function facetValuesOf(facet: FileFacet, properties: Properties, { uses, roles }: FileColumns): Set<string> {
  const values = (uses.get(facet) ?? []).flatMap((column) => {
    const value = partsOf(properties[column]);
    return READERS[facet](value, plainName(column), roles.get(column));
  });
  return new Set(WORDED.has(facet) ? values.flatMap((value) => [value, worded(value)]) : values);
}

const membersOf =
  (...names: readonly string[]) =>
  (value: Json | undefined): string[] => {
    const members = objectOf(value);
    return members ? names.flatMap((name) => textsOf(members[name])) : textsOf(value);
  };

const READERS: Readonly<
  Record<FileFacet, (value: Json | undefined, column: string, role: Role | undefined) => string[]>
> = {
  category: membersOf("primary", "alternate"),
  taxonomy: membersOf("primary", "hierarchy"),
  brand: (value) => textsOf(objectOf(objectOf(value)?.names)?.primary ?? value).map(foldBrand),
  wikidata: (value, column) => textsOf(column === "brand" ? objectOf(value)?.wikidata : value),
  status: textsOf,
  source: (value) => [...textsOf(value), ...listOf(value).flatMap((source) => textsOf(objectOf(source)?.dataset))],
  contact: (value, column, role) => {
    const kinds = Object.entries(CONTACTS) as [Contact, string][];
    const kind = kinds.find(([name, plural]) => plural === column || plural === `${column}s` || name === role)?.[0];
    return kind !== undefined && textsOf(value).length > 0 ? [kind] : [];
  },
  subtype: textsOf,
  class: textsOf,
  level: textsOf,
  division: textsOf,
  surface: (value) => [...textsOf(value), ...listOf(value).flatMap((part) => textsOf(objectOf(part)?.value))],
  speed: (value) => {
    const limits = listOf(value).map((limit) => objectOf(objectOf(limit)?.max_speed));
    return limits.flatMap((max) =>
      typeof max?.value === "number" && typeof max.unit === "string"
        ? (speedText({ value: max.value, unit: max.unit }) ?? [])
        : [],
    );
  },
};

/** Non-empty texts, and numbers as text, of a value or a list. */
function textsOf(value: Json | undefined): string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
  return listOf(value).flatMap((item) => (Array.isArray(item) ? [] : textsOf(item)));
}

/** Returns the value, parsed if it is JSON in a text, as nested values are in tables of texts. */
function partsOf(value: Json | undefined): Json | undefined {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  try {
    return parseJson(value) as Json;
  } catch {
    return value;
  }
}

function isTitle(value: Json | undefined): value is string | number {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s.:_-]+/g, "_");
}

function worded(text: string): string {
  return text.toLowerCase().replace(/[\s-]+/g, "_");
}

/** Columns of tabular formats. They depend on the path, not on the rows. Lists and objects become text. @module */
import { type Collection, POINT_COLLECTIONS } from "../../data/format/collections.ts";
import { writeWkt } from "../../data/format/wkt.ts";
import type { Feature, Json, Members } from "../engine/index.ts";

export interface FlatColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The property that the column is made from. Undefined for a column that `includes` cannot remove. */
  readonly property?: string;
  /** The members of the property that the column reads; default: all. */
  readonly members?: Members;
  read(feature: Feature): Json | undefined;
}

/** The kind of values in a column. Lists and objects are `text`. */
export type ColumnKind = "text" | "integer" | "number" | "boolean";

const LIST_SEPARATOR = " | ";
const KINDS: ReadonlyMap<string, ColumnKind> = new Map<string, ColumnKind>([
  ["VARCHAR", "text"],
  ["VARCHAR[]", "text"],
  ["INTEGER", "integer"],
  ["DOUBLE", "number"],
  ["BOOLEAN", "boolean"],
]);

/** Returns the value at these keys of nested objects; undefined where a key is missing. */
export function at(value: Json | undefined, keys: readonly string[]): Json | undefined {
  let current = value;
  for (const key of keys) {
    if (typeof current !== "object" || current === null || Array.isArray(current)) return undefined;
    current = (current as Readonly<Record<string, Json>>)[key];
  }
  return current;
}

const membersAt = (keys: readonly string[]): Members =>
  keys.reduceRight<Members>((members, key) => ({ [key]: members }), true);

const nested = (name: string, property: string, ...keys: readonly string[]): FlatColumn => ({
  name,
  kind: "text",
  property,
  members: membersAt(keys),
  read: ({ properties }) => at(properties[property], keys),
});

/** A member of the items of a list, without repetition. */
const members = (name: string, property: string, ...keys: readonly string[]): FlatColumn => ({
  name,
  kind: "text",
  property,
  members: membersAt(keys),
  read: ({ properties }) => {
    const items = properties[property];
    if (!Array.isArray(items)) return undefined;
    const values: string[] = [];
    for (const item of items) {
      const value = at(item, keys);
      if (typeof value === "string" && !values.includes(value)) values.push(value);
    }
    return values;
  },
});

const firstAddress = (...keys: readonly [string]): FlatColumn => ({
  name: keys[0],
  kind: "text",
  property: "addresses",
  members: membersAt(keys),
  read: ({ properties }) => at((properties.addresses as readonly Json[] | undefined)?.[0], keys),
});

const NAME = nested("name", "names", "primary");
const SOURCES = members("sources", "sources", "dataset");

const PLACE_COLUMNS: readonly FlatColumn[] = [
  NAME,
  nested("category", "categories", "primary"),
  nested("alternate_categories", "categories", "alternate"),
  { ...nested("confidence", "confidence"), kind: "number" },
  ...["freeform", "locality", "postcode", "region", "country"].map((name) => firstAddress(name)),
  ...["phones", "websites", "socials", "emails"].map((list) => nested(list, list)),
  nested("brand", "brand", "names", "primary"),
  nested("brand_wikidata", "brand", "wikidata"),
  nested("operating_status", "operating_status"),
  nested("version", "version"),
  SOURCES,
];

/** The geometry as WKT, for records that are not points. */
export const WKT: FlatColumn = { name: "geometry", kind: "text", read: ({ geometry }) => writeWkt(geometry) };

/** Metres from the centre of the search, or from the representative point of its area; empty without either. */
export const DISTANCE: FlatColumn = { ...nested("distance_meters", "ext_distance"), kind: "number" };

const BUILDING_KINDS = {
  id: "text",
  distance: "number",
  subtype: "text",
  class: "text",
  height: "number",
  num_floors: "integer",
  num_floors_underground: "integer",
} as const satisfies Readonly<Record<string, ColumnKind>>;

const BUILDING_COLUMNS = Object.entries(BUILDING_KINDS).map(
  ([key, kind]): FlatColumn => ({ ...nested(`building_${key}`, "ext_building", key), kind }),
);

/**
 * Returns a path's columns besides id, longitude and latitude. The last one is the geometry as WKT, unless all collections are
 * among `POINT_COLLECTIONS`.
 */
export function flatColumns(schemas: readonly Collection[]): readonly FlatColumn[] {
  const geometry = schemas.every(({ name }) => POINT_COLLECTIONS.has(name)) ? [] : [WKT];
  const includes = (wanted: string) => schemas.some(({ name }) => name === wanted);
  if (includes("place")) return [...PLACE_COLUMNS, ...geometry];
  if (includes("place_building")) return [...PLACE_COLUMNS, ...BUILDING_COLUMNS, ...geometry];
  const all = schemas.flatMap(({ columns }) => columns);
  const scalars = new Map(
    all.flatMap(({ name, type }): [string, ColumnKind][] => {
      const kind = KINDS.get(type);
      // the version is text in features
      return kind && name !== "id" ? [[name, name === "version" ? "text" : kind]] : [];
    }),
  );
  const named = all.some(({ name }) => name === "names") ? [NAME] : [];
  const declared = schemas.some(({ countryRule }) => countryRule === "declared") ? ["country"] : [];
  const isOwn = schemas.every(({ own }) => own !== undefined);
  if (isOwn) scalars.delete("version");
  const names = new Set([...(isOwn ? [] : ["theme", "type"]), ...scalars.keys(), ...declared]);
  const columns = Array.from(names, (name) => ({ ...nested(name, name), kind: scalars.get(name) ?? "text" }));
  const sources = all.some(({ name }) => name === "sources") ? [SOURCES] : [];
  return [...named, ...columns, ...sources, ...geometry];
}

/** Column names that every table uses. */
const TAKEN = ["id", "longitude", "latitude", "geometry"];

/**
 * Adds columns for properties that only records from the user's own files have. Such a property shares an existing column of its
 * name; the others come last.
 */
export function withOthers(columns: readonly FlatColumn[], names: readonly string[] = []): readonly FlatColumn[] {
  const taken = new Set([...TAKEN, ...columns.map(({ name }) => name)]);
  const isThere = (name: string) => columns.some((column) => column !== WKT && column.name === name);
  const filled = columns.map((column): FlatColumn => {
    if (!names.includes(column.name) || column === WKT) return column;
    return { ...column, read: (feature) => column.read(feature) ?? feature.properties[column.name] };
  });
  const others = names.filter((name) => !isThere(name));
  const columnOf = (property: string): FlatColumn => ({
    name: unusedName(property.trim() || "column", taken),
    kind: "text",
    read: ({ properties }) => properties[property],
  });
  return [...filled, ...others.map(columnOf)];
}

/** Returns the name, with `_2` or a higher number if it is taken. Adds the returned name to `taken`. */
export function unusedName(name: string, taken: Set<string>): string {
  let unused = name;
  for (let number = 2; taken.has(unused); number++) unused = `${name}_${number}`;
  taken.add(unused);
  return unused;
}

/** Returns the value as text: empty for null, JSON for an object. Items of a list are joined by ` | `. */
export function flatText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(flatText).join(LIST_SEPARATOR);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns the value of a typed column; null if it is missing, empty or of another kind. */
export function flatValue({ kind, read }: FlatColumn, feature: Feature): string | number | boolean | null {
  const value = read(feature);
  if (kind === "text") return flatText(value) || null;
  return typeof value === (kind === "boolean" ? "boolean" : "number") ? (value as number | boolean) : null;
}

function bothOf(a: Members, b: Members): Members {
  if (a === true || b === true) return true;
  const entries = Object.entries(b).map(([name, of]) => [name, name in a ? bothOf(a[name] ?? true, of) : of] as const);
  return { ...a, ...Object.fromEntries(entries) };
}

/** Returns the properties that the columns read, each with the members that they need. */
export function neededBy(columns: readonly FlatColumn[]): ReadonlyMap<string, Members> {
  const needed = new Map<string, Members>();
  for (const { property, members = true } of columns) {
    if (property === undefined) continue;
    const known = needed.get(property);
    needed.set(property, known === undefined ? members : bothOf(known, members));
  }
  return needed;
}

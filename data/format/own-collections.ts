/**
 * Collections with a schema of their own, made from any table with places. The manifest stores the schema.
 *
 * A role says what a column means. The columns that searches and pages know (`names`, `categories`, `addresses`, ...) are
 * computed from the roles and are not stored.
 * @module
 */
import {
  BBOX,
  type Collection,
  type CollectionName,
  type Column,
  GEOMETRY,
  ID,
  isCollectionName,
  knownCollection,
  VERSION,
} from "./collections.ts";
import type { Json } from "./json.ts";
import { OWN_TYPES, type OwnSchema, type OwnType, type Role } from "./own-schema.ts";
import { TABLES_FOLDER } from "./table-facets.ts";

/** Paths of the REST interface and folders of a site: no collection has these names. */
const TAKEN_NAMES = new Set([
  ...["places", "buildings", "addresses", "base", "transportation", "divisions", "autocomplete", "search", "reverse"],
  ...[
    "counts",
    "photon",
    "changes",
    "export",
    TABLES_FOLDER,
    "tiles",
    "ogc",
    "docs",
    "openapi",
    "dataset",
    "mcp",
    "assets",
    "embed",
    "kept",
    "stac",
    "packs",
  ],
]);

const OWN_NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** Returns whether a collection with its own schema may have this name. */
export function isOwnName(name: string): boolean {
  return OWN_NAME.test(name) && !isCollectionName(name) && !TAKEN_NAMES.has(name);
}

/**
 * Returns whether a folder with this name in a dataset may contain the files of a collection: the name of a collection,
 * or `tables`.
 */
export function isCollectionFolder(name: string): boolean {
  return isCollectionName(name) || isOwnName(name) || name === TABLES_FOLDER;
}

/** Columns that are computed from roles. */
const COMPUTED = ["names", "categories", "addresses", "websites", "phones", "emails"] as const;
/** Name of the computed column with a text `<name>=<value>` for each term of a table's columns. */
export const OWN_TERMS = "own_terms";

/** Names that no column of a table keeps, in lower case. */
const TAKEN_COLUMNS = new Set([
  ...["id", "geometry", "bbox", "version", "country", "theme", "type", "sources", OWN_TERMS, ...COMPUTED],
]);

/**
 * Returns the names under which a table's columns are stored, in the same order. They are unique regardless of case. A
 * name that every collection has, such as `id`, gets `c.` before it; a repeated name gets a number.
 */
export function storedNames(names: readonly string[]): string[] {
  const taken = new Set(TAKEN_COLUMNS);
  return names.map((name) => {
    const wanted = isTakenColumn(name) ? `c.${name}` : name;
    let stored = wanted;
    for (let number = 2; taken.has(stored.toLowerCase()); number++) stored = `${wanted}_${number}`;
    taken.add(stored.toLowerCase());
    return stored;
  });
}

/**
 * Returns the name that a stored column has in the table, without the `c.` of `storedNames`. A number that
 * `storedNames` added stays.
 */
export function writtenName(stored: string): string {
  const written = stored.replace(/^c\./, "");
  return isTakenColumn(written) ? written : stored;
}

function isTakenColumn(name: string): boolean {
  return TAKEN_COLUMNS.has(name.toLowerCase()) || /^(ext_|_)/i.test(name);
}

const collections = new WeakMap<OwnSchema, Collection>();

/**
 * Returns a collection made from a user's table: columns `id`, `geometry`, `bbox`, `version` and those of the schema.
 * The same schema object and name give the same object.
 */
export function ownCollection(name: CollectionName, schema: OwnSchema): Collection {
  const known = collections.get(schema);
  if (known?.name === name) return known;
  const columns = schema.columns.map(
    ({ name: column, type, role }): Column => ({
      name: column,
      type: OWN_TYPES[type],
      doc: `${typeDoc(type)}${role ? ` Role: ${role}.` : ""}`,
    }),
  );
  const roles = new Set(schema.columns.map(({ role }) => role));
  const collection: Collection = {
    name,
    type: name,
    theme: "own",
    countryRule: "located",
    columns: [ID, GEOMETRY, BBOX, VERSION, ...columns],
    computed: [...COMPUTED.filter((column) => ROLES_OF[column].some((role) => roles.has(role))), OWN_TERMS],
    own: schema,
  };
  collections.set(schema, collection);
  return collection;
}

const ROLES_OF: Readonly<Record<(typeof COMPUTED)[number], readonly Role[]>> = {
  names: ["name", "names"],
  categories: ["category"],
  addresses: ["address", "street", "housenumber", "postcode", "city", "region"],
  websites: ["website"],
  phones: ["phone"],
  emails: ["email"],
};

function typeDoc(type: OwnType): string {
  if (type === "date") return "A date, YYYY-MM-DD.";
  if (type === "date-time") return "A time, ISO 8601.";
  return type === "json" ? "JSON text." : `Type ${type}.`;
}

/** What this module needs of a manifest. */
export interface HasCollections {
  readonly collections: Readonly<Record<string, { readonly schema?: OwnSchema | undefined } | undefined>>;
}

/**
 * Returns the known collection with this name, even if the dataset does not have it. For other names returns the
 * collection of the dataset's schema. Throws if the dataset has no schema with this name.
 */
export function collectionIn({ collections }: HasCollections, name: CollectionName): Collection {
  if (isCollectionName(name)) return knownCollection(name);
  const schema = collections[name]?.schema;
  if (!schema) throw new Error(`the dataset has no collection ${JSON.stringify(name)}`);
  return ownCollection(name, schema);
}

/**
 * Returns true for the name of a known collection, even if the dataset does not have it, and of a collection whose
 * schema the dataset has.
 */
export function isKnown({ collections }: HasCollections, name: CollectionName): boolean {
  return isCollectionName(name) || collections[name]?.schema !== undefined;
}

/** Returns whether the column exists, stored or computed. */
export function hasColumn({ columns, computed = [] }: Collection, name: string): boolean {
  return columns.some((column) => column.name === name) || computed.includes(name);
}

/** Returns the term of a value in a column of a user's table: `column:<name>=<value>`, the name percent-encoded. */
export function columnTerm(column: string, value: string | number | boolean): string {
  return `column:${columnValue(column, value)}`;
}

/** Returns `<name>=<value>`, the part of `columnTerm` after `column:`. The name is percent-encoded. */
export function columnValue(column: string, value: string | number | boolean): string {
  return `${encodeURIComponent(column)}=${value}`;
}

type JsonObject = Readonly<Record<string, Json>>;

/**
 * Returns how a computed column gets its value: `needs` are the names of stored columns, `read` gets their values from
 * the function it is given, and returns null if there is no value. Undefined if the column is not computed.
 */
export function computedColumn(
  { computed = [], own }: Collection,
  name: string,
): { readonly needs: readonly string[]; readonly read: (stored: (column: string) => Json) => Json } | undefined {
  if (!own || !computed.includes(name)) return undefined;
  if (name === OWN_TERMS) {
    const columns = own.columns.filter(({ hasTerms }) => hasTerms);
    return {
      needs: columns.map((column) => column.name),
      read: (stored) =>
        columns.flatMap((column) => valuesOf(stored(column.name)).map((v) => columnValue(column.name, v))),
    };
  }
  const wanted = ROLES_OF[name as (typeof COMPUTED)[number]];
  const columns = own.columns.filter(({ role }) => role && wanted.includes(role));
  const byRole = new Map<Role, string[]>();
  for (const { name: column, role } of columns) if (role) byRole.set(role, [...(byRole.get(role) ?? []), column]);
  return {
    needs: columns.map((column) => column.name),
    read: (stored) => {
      const values = (role: Role): string[] =>
        (byRole.get(role) ?? []).flatMap((column) => valuesOf(stored(column)).map(String));
      return computedValue(name as (typeof COMPUTED)[number], values);
    },
  };
}

function computedValue(name: (typeof COMPUTED)[number], values: (role: Role) => string[]): Json {
  const [only] = ROLES_OF[name];
  switch (name) {
    case "names": {
      const common = namesByLanguage(values("names")[0]);
      const primary = values("name")[0] ?? Object.values(common)[0];
      if (primary === undefined) return null;
      return Object.keys(common).length === 0 ? { primary } : { primary, common };
    }
    case "categories": {
      const [primary, ...alternate] = values("category");
      if (primary === undefined) return null;
      return alternate.length === 0 ? { primary } : { primary, alternate };
    }
    case "addresses": {
      const street = [...values("street"), ...values("housenumber")].join(" ");
      const parts = {
        freeform: values("address").join(", ") || street,
        locality: values("city").join(", "),
        postcode: values("postcode")[0] ?? "",
        region: values("region")[0] ?? "",
      };
      const filled = Object.entries(parts).filter(([, text]) => text !== "");
      return filled.length === 0 ? null : [Object.fromEntries(filled)];
    }
    default: {
      const found = only ? values(only) : [];
      return found.length === 0 ? null : found;
    }
  }
}

/** Names by language, from JSON text. Empty if it is not a JSON object. */
function namesByLanguage(text: string | undefined): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).filter((entry) => typeof entry[1] === "string"));
  } catch {
    return {};
  }
}

function valuesOf(value: Json): (string | number | boolean)[] {
  if (Array.isArray(value)) return value.flatMap(valuesOf);
  if (value === null || value === undefined || value === "" || typeof value === "object") return [];
  return [value as string | number | boolean];
}

/** Returns the row with the computed columns added, such as `names`. Computed columns without a value are left out. */
export function withComputed(collection: Collection, row: JsonObject): JsonObject {
  const { computed } = collection;
  if (!computed) return row;
  const all: Record<string, Json> = { ...row };
  for (const name of computed) {
    const value = computedColumn(collection, name)?.read((column) => row[column] ?? null) ?? null;
    if (value !== null) all[name] = value;
  }
  return all;
}

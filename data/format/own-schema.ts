/** The schema of a collection that is made from a table. @module */

/** Types of columns, each with DuckDB's type in which it is stored. Dates are ISO 8601 texts, `json` is JSON text. */
export const OWN_TYPES = {
  text: "VARCHAR",
  integer: "INTEGER",
  number: "DOUBLE",
  boolean: "BOOLEAN",
  date: "VARCHAR",
  "date-time": "VARCHAR",
  list: "VARCHAR[]",
  json: "VARCHAR",
} as const;
export type OwnType = keyof typeof OWN_TYPES;

/** What a column of a user's table may mean to the page and to the search. */
export const ROLES = [
  "name",
  "names",
  "category",
  "address",
  "street",
  "housenumber",
  "postcode",
  "city",
  "region",
  "phone",
  "website",
  "email",
  "image",
  "hours",
  "description",
  "price",
  "date",
] as const;
export type Role = (typeof ROLES)[number];

/** A column of a collection that is made from a user's table. */
export interface OwnColumn {
  /** The stored name. It is the table's name, with `c.` before a name that every collection has. */
  readonly name: string;
  readonly type: OwnType;
  readonly role?: Role | undefined;
  /** Whether each value of the column is a term of the index. True for columns with few different values. */
  readonly hasTerms?: boolean | undefined;
}

export interface OwnSchema {
  readonly columns: readonly OwnColumn[];
}

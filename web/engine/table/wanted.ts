/** Decides whether a column table has everything that a query needs. @module */
import type { Collection } from "../../../data/format/collections.ts";
import { tableFileColumns } from "../../../data/format/column-tables.ts";
import type { ManifestCollection } from "../../../data/format/manifest.ts";
import type { WantedTableRows } from "../../../data/format/table-reads.ts";
import { FACET_COLUMNS, splitTerm } from "../../../data/format/terms.ts";
import type { Filters, Query } from "../contract/query.ts";

/** Properties that are no columns. */
const CONSTANT = new Set(["theme", "type", "country", "ext_country", "ext_distance", "id"]);

export interface TableQuery extends Pick<Query, "collections" | "circle" | "area" | "country" | "filters" | "order"> {
  /** Names of the properties to return. */
  readonly properties: ReadonlySet<string>;
}

/** The part of a table that a query needs. */
export interface WantedTable extends WantedTableRows {
  readonly key: string;
  /** Columns of the files to read. */
  readonly columns: readonly string[];
  /** Conditions besides the values and countries. */
  readonly filters: Filters;
}

/** Returns the part of the table that the query needs. Undefined if the table cannot find its rows, or lacks a column. */
export function wantedTable(
  schema: Collection,
  table: NonNullable<ManifestCollection["table"]>,
  { circle, area, country, filters = {}, order, properties }: TableQuery,
): WantedTable | undefined {
  const { terms = [], atLeast = {}, atMost = {}, columns: tests = [], bbox, where } = filters;
  if (circle || area || order || bbox || where) return undefined;
  const isOfFacet = (clause: readonly string[]): boolean =>
    clause.length > 0 && clause.every((term) => splitTerm(term).facet === table.facet);
  const clause = terms.find(isOfFacet);
  if (!clause) return undefined;
  const others = terms.filter((each) => each !== clause);
  const has = (name: string): boolean => schema.columns.some((column) => column.name === name);
  const tested = [
    ...others.flat().flatMap((term) => FACET_COLUMNS[splitTerm(term).facet].filter(has)),
    ...Object.keys(atLeast),
    ...Object.keys(atMost),
    ...tests.map(({ column }) => column),
  ];
  const shown = [...properties].flatMap((name) => (name === "ext_name" ? ["names"] : [name]));
  const needed = new Set([...tested, ...shown.filter((name) => !CONSTANT.has(name) && has(name))]);
  const stored = tableFileColumns(table);
  if (schema.computed || ![...needed].every((name) => stored.includes(name))) return undefined;
  const key = table.facet;
  const always = new Set([key, "country", "id", "geometry"]);
  return {
    key,
    values: [...new Set(clause.map((term) => splitTerm(term).value))],
    countries: country === undefined ? undefined : [country].flat(),
    columns: stored.filter((name) => always.has(name) || needed.has(name)),
    filters: { ...filters, terms: others },
  };
}

/** A search as SQL over the tables of the console that returns the same rows in the same order, and their number. @module */

import type { Collection } from "../../../data/format/collections.ts";
import { type FilterName, filterNamed } from "../../../data/format/filters.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import { collectionIn, type HasCollections, hasColumn, isOwnName } from "../../../data/format/own-collections.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { quoteIdentifier, quoteLiteral } from "../../../data/format/sql.ts";
import { FACET_COLUMNS } from "../../../data/format/terms.ts";
import { DUCKDB_DISTANCE, type DuckdbStatements } from "../../hosts/browser/protocol/index.ts";
import { areaOf } from "../../map/drawn-area.ts";
import {
  collectionsOf,
  columnOfSort,
  columnsOf,
  coordinate,
  INCLUDE_UNKNOWN,
  keptFilters,
  ownFilterNamed,
  type Search,
} from "../address/index.ts";
import { tableOf, wordConditions } from "./console-sql.ts";
import { boxesMeet, conditionOf } from "./sql.ts";

/**
 * Why SQL cannot express a search: the named filter, an order that is neither the default one nor by confidence, or opening
 * hours.
 */
export type Preventing = { readonly kind: "filter"; readonly name: string } | { readonly kind: "sort" | "open" };

export type DuckdbSearch =
  | { readonly kind: "prevented"; readonly by: Preventing }
  | (DuckdbStatements & {
      readonly kind: "statements" /** All rows, over all pages. */;
      readonly all: string;
    });

interface DuckdbOptions {
  readonly dataset: HasCollections;
  /** Whether the list has the order that the search asks for. Too many matches to sort stay in the default order. */
  readonly isOrdered: boolean;
}

/**
 * Returns the statements, or what prevents them if SQL cannot express a part of the search. Undefined if the dataset has none of
 * the collections.
 */
export function duckdbSearch(search: Search, { dataset, isOrdered }: DuckdbOptions): DuckdbSearch | undefined {
  const { path, filters, page, limit } = search;
  const schemas = collectionsOf(path, filters)
    .filter((name) => Object.hasOwn(dataset.collections, name))
    .map((name) => collectionIn(dataset, name));
  if (schemas.length === 0) return undefined;
  const by = preventing(search, isOrdered);
  if (by) return { kind: "prevented", by };
  const able = schemas.filter((schema) => mayMatch(search, schema));
  const read = able.length > 0 ? able : schemas.slice(0, 1);
  const origin = originOf(search);
  const conditions = able.length > 0 ? conditionsOf(search, able) : ["false"];
  const distance = origin && `distance_metres(geometry, bbox, ${origin})`;
  const rows = lines([
    `SELECT *${distance ? `, ${distance} AS ${DUCKDB_DISTANCE}` : ""}`,
    ...fromOf(read),
    ...where(conditions),
  ]);
  const isWithin = search.centre && `WHERE ${DUCKDB_DISTANCE} <= ${search.radiusMeters}`;
  const near = lines(["WITH near AS (", indent(rows), ")"]);
  const matching = isWithin ? lines([near, "SELECT * FROM near", isWithin]) : rows;
  const count = isWithin
    ? lines([near, "SELECT count(*) FROM near", isWithin])
    : lines(["SELECT count(*)", ...fromOf(read), ...where(conditions)]);
  const order = [
    ...(isOrdered && search.sort === "confidence" ? ["confidence DESC NULLS LAST"] : []),
    ...(distance ? [DUCKDB_DISTANCE] : []),
    "id",
    ...(read.length > 1
      ? [`list_position([${read.map(({ name }) => quoteLiteral(name)).join(", ")}], collection)`]
      : []),
  ];
  const all = lines([matching, `ORDER BY ${order.join(", ")}`]);
  const [only] = read.length === 1 ? read : [];
  return {
    kind: "statements",
    count,
    rows: lines([all, `LIMIT ${limit} OFFSET ${page * limit}`]),
    all,
    only: only?.name,
    dataset,
  };
}

function preventing({ path, filters, sort, isOpenNow }: Search, isOrdered: boolean): Preventing | undefined {
  if (isOpenNow) return { kind: "open" };
  if (isOrdered && (sort !== "confidence" || columnOfSort(path, sort))) return { kind: "sort" };
  const name = Object.entries(keptFilters(path, filters)).find(
    ([filter, value]) => !isExpressible({ path, filters }, filter, value),
  );
  return name && { kind: "filter", name: name[0] };
}

function isExpressible({ path, filters }: Pick<Search, "path" | "filters">, name: string, value: string): boolean {
  if (!isOwnName(path)) return name === "name" || conditionOf(path, name, value, filters) !== undefined;
  // names by language are JSON text, which needs an extension to be read
  if (name === "name") return columnsOf(path).every(({ role }) => role !== "names");
  return name === "categories" || name === INCLUDE_UNKNOWN || ownFilterNamed(path, name) !== undefined;
}

/** Whether rows of the collection can match the filters. A fixed collection without the column of a filter cannot. */
function mayMatch({ path, filters }: Search, schema: Collection): boolean {
  if (schema.own) return true;
  return Object.keys(keptFilters(path, filters)).every((name) => {
    if (name === "types" || name === INCLUDE_UNKNOWN) return true;
    const filter = filterNamed(name as FilterName);
    const columns = "column" in filter ? [filter.column] : FACET_COLUMNS[filter.facet];
    return columns.some((column) => hasColumn(schema, column));
  });
}

/**
 * Returns the position from which distances are measured, as `lon, lat` in SQL: the centre, or the representative point of the
 * area. Undefined without both.
 */
function originOf({ centre, area }: Search): string | undefined {
  // as the interface gets them
  if (centre) return `${coordinate(centre.lon)}, ${coordinate(centre.lat)}`;
  const [lon, lat] = (area && representativePoint(areaOf(area))) ?? [];
  // at a longitude that the globe has
  return lon === undefined || lat === undefined ? undefined : `${lon - 360 * Math.round(lon / 360)}, ${lat}`;
}

function conditionsOf(search: Search, schemas: readonly Collection[]): string[] {
  const { path, centre, radiusMeters, area, country, filters } = search;
  const shape = area && areaOf(area);
  const bbox = shape && bboxOf(shape);
  return [
    ...(centre ? [`within_circle(bbox, ${originOf(search)}, ${radiusMeters})`] : []),
    ...(bbox ? [boxesMeet(bbox), `within_area(geometry, ${quoteLiteral(JSON.stringify(shape))})`] : []),
    ...(country === undefined ? [] : [`country = ${quoteLiteral(country)}`]),
    ...Object.entries(keptFilters(path, filters)).flatMap(([name, value]) =>
      name === "name" ? nameCondition(path, value, schemas) : (conditionOf(path, name, value, filters) ?? []),
    ),
    ...wordConditions({ ...search, filters: withoutName(filters) }),
  ];
}

function withoutName({ name: _, ...filters }: Search["filters"]): Search["filters"] {
  return filters;
}

/** Returns the condition that each word is the start of a word in any of the names, ignoring case and accents. */
function nameCondition(path: Search["path"], words: string, schemas: readonly Collection[]): string[] {
  const has = (column: string) => schemas.some((schema) => hasColumn(schema, column));
  const texts = isOwnName(path)
    ? [
        `[coalesce(${columnsOf(path)
          .flatMap(({ name, type, role }) => (role === "name" ? [firstText(name, type)] : []))
          .join(", ")})]`,
      ]
    : [
        ...(has("names") ? ["name_texts(names)"] : []),
        ...(has("street") ? ["address_texts(number, street, unit, postcode, postal_city, address_levels)"] : []),
      ];
  return texts.map((text) => `has_all_words(${text}, ${quoteLiteral(words)})`);
}

/** Returns SQL for the first text of a column that is not empty. */
function firstText(name: string, type: string): string {
  const column = quoteIdentifier(name);
  return type === "list" ? `list_filter(${column}, lambda one: one <> '')[1]` : `nullif(${column}::VARCHAR, '')`;
}

function fromOf(schemas: readonly Collection[]): string[] {
  const [only] = schemas;
  if (only && schemas.length === 1) return [`FROM ${tableOf(only.name)}`];
  const each = schemas.map(({ name }) => `SELECT ${quoteLiteral(name)} AS collection, * FROM ${tableOf(name)}`);
  return ["FROM (", indent(each.join("\nUNION ALL BY NAME\n")), ")"];
}

function where(conditions: readonly string[]): string[] {
  return conditions.length === 0 ? [] : [`WHERE ${conditions.join("\n  AND ")}`];
}

function lines(parts: readonly string[]): string {
  return parts.join("\n");
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}

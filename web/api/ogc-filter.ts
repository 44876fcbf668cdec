/**
 * Filters in CQL2, as text or as JSON: the properties that filters of a collection may use, and the conversion of a
 * filter to a search of the engine: conditions with an index, and conditions for which rows are read.
 * @see https://docs.ogc.org/is/21-065r2/21-065r2.html
 * @module
 */

import type { Area } from "../../data/format/area.ts";
import type { Collection } from "../../data/format/collections.ts";
import { FILTER_DOCS } from "../../data/format/filter-docs.ts";
import { FILTERS, type Filter, type FilterName, filterNamed } from "../../data/format/filters.ts";
import { hasColumn } from "../../data/format/own-collections.ts";
import { FACET_COLUMNS, type Facet } from "../../data/format/terms.ts";
import type { Filters, Query } from "../engine/index.ts";
import { nearestOf, ParameterError } from "../search/index.ts";
import { type Cql2, CqlError, type Literal } from "./cql2-expression.ts";
import { parseCql2Json } from "./cql2-json.ts";
import { parseCql2Text } from "./cql2-text.ts";
import { type Condition, conditionTest, type Operand, type Scalar, type ValueTest } from "./ogc-condition.ts";
import { type JsonSchema, schemaOf } from "./ogc-schema.ts";

type Type = "string" | "number" | "integer" | "boolean";

interface Queryable {
  readonly operand: Operand;
  readonly type: Type;
  readonly schema: JsonSchema;
  /** Facet whose posting lists have the rows of a value. */
  readonly facet?: Facet;
  /** Folds a value as it is folded in posting lists and rows. */
  readonly fold?: (text: string) => string;
  readonly least?: string;
}

const TYPES: ReadonlySet<unknown> = new Set<Type>(["string", "number", "integer", "boolean"]);
/** Properties that the interface adds, or that are stored under another name. */
const NOT_STORED = new Set(["geometry", "ext_name", "ext_distance", "ext_country", "country", "theme", "type"]);

const made = new WeakMap<Collection, ReadonlyMap<string, Queryable>>();

function queryablesBy(collection: Collection): ReadonlyMap<string, Queryable> {
  const known = made.get(collection);
  if (known) return known;
  const { theme, type, countryRule } = collection;
  const constant = (value: string): Queryable => ({
    operand: { kind: "constant", value },
    type: "string",
    schema: { type: "string", enum: [value] },
  });
  const country: Queryable = {
    operand: { kind: "country" },
    type: "string",
    schema: { type: "string", description: "Country by which a search finds the record; ZZ for unknown." },
  };
  const all = new Map<string, Queryable>([
    ["country", country],
    ["theme", constant(theme)],
    ["type", constant(type)],
    ...(countryRule === "located" ? ([["ext_country", country]] as const) : []),
  ]);
  const { properties } = schemaOf(collection, "") as { readonly properties: Readonly<Record<string, JsonSchema>> };
  for (const [property, schema] of Object.entries(properties)) {
    if (!NOT_STORED.has(property)) addLeaves(all, [property], schema);
  }
  for (const filter of Object.keys(FILTERS) as FilterName[]) addFilter(all, collection, filter);
  made.set(collection, all);
  return all;
}

/** Adds the column if its values are texts, numbers or booleans, and such members of an object, as `column.member`. */
function addLeaves(all: Map<string, Queryable>, path: readonly [string, ...string[]], schema: JsonSchema): void {
  const { type, description } = schema;
  if (type === "object") {
    for (const [member, inner] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
      addLeaves(all, [...path, member], inner);
    }
  }
  if (!TYPES.has(type)) return;
  const { title: _, "x-ogc-role": __, "x-ogc-propertySeq": ___, ...plain } = schema;
  const name = path.join(".");
  all.set(name, {
    operand: { kind: "column", path, ...(name === "version" ? { isText: true } : {}) },
    type: type as Type,
    schema: { ...plain, ...(description === undefined ? {} : { description }) },
  });
}

/** A filter of the REST interface: the index of an existing column, or a new property. */
function addFilter(all: Map<string, Queryable>, collection: Collection, named: FilterName): void {
  const filter: Filter = filterNamed(named);
  if ("column" in filter) {
    // a maximum has no index
    const known = all.get(filter.column);
    if (known && filter.kind === "least") all.set(filter.column, { ...known, least: filter.column });
    return;
  }
  // the words of a name begin words of it, which no comparison of CQL2 says
  if (filter.kind === "words" || !FACET_COLUMNS[filter.facet].some((column) => hasColumn(collection, column))) return;
  const fold = filter.kind === "text" ? filter.fold : undefined;
  const known = all.get(named);
  const folded = { facet: filter.facet, ...(fold ? { fold } : {}) };
  if (known) {
    const choices = filter.kind === "choices" ? { enum: filter.choices } : {};
    all.set(named, { ...known, ...folded, schema: { ...known.schema, ...choices } });
    return;
  }
  const description = `${FILTER_DOCS[named].replace(/;? any of them\.$/, ".")}${VALUES[named] ?? ""}`;
  const choices = filter.kind === "choices" ? { enum: filter.choices } : {};
  all.set(named, {
    operand: { kind: "facet", facet: filter.facet },
    type: "string",
    ...folded,
    schema: { type: "string", description, ...choices },
  });
}

/** For properties of which a record may have several values. */
const SEVERAL = " One of several values is enough.";
const VALUES: Readonly<Partial<Record<FilterName, string>>> = {
  categories: SEVERAL,
  taxonomy: SEVERAL,
  has_contact: SEVERAL,
  source: SEVERAL,
  surface: SEVERAL,
  speed_limit: SEVERAL,
};

/** Returns the properties that a filter may use, as a JSON schema. */
export function queryablesOf(collection: Collection): Readonly<Record<string, JsonSchema>> {
  const geometry = {
    format: "geometry-any",
    "x-ogc-role": "primary-geometry",
    description: "S_INTERSECTS with a point, a polygon or a box.",
  };
  const own = Array.from(queryablesBy(collection), ([property, { schema }]) => [
    property,
    { title: property, ...schema },
  ]);
  return Object.fromEntries([["geometry", geometry], ...own]);
}

export interface Filtered extends Pick<Query, "country" | "area"> {
  readonly filters: Filters;
}

/** Maximum number of values of IN that are looked up in the index. With more values, rows are read and tested. */
const MOST_LOOKED_UP = 50;

/**
 * Returns the conditions of the filter together with those of the rest of the request, `asked`. Throws `ParameterError` for an
 * unknown property or a value of another type.
 */
export function filtered(collection: Collection, cql2: Cql2, asked: Filtered): Filtered {
  const queryables = queryablesBy(collection);
  let { country, area } = asked;
  const terms = [...(asked.filters.terms ?? [])];
  const atLeast = { ...asked.filters.atLeast };
  const rest: Condition[] = [];
  for (const part of conjuncts(cql2)) {
    const condition = conditionOf(part, queryables);
    if (part.op === "s_intersects" && !area) area = part.area;
    else if (part.op === "=" && isCountry(part.property, queryables) && country === undefined)
      country = String(part.value);
    else if (part.op === "in" && isCountry(part.property, queryables) && country === undefined)
      country = part.values.map(String);
    else {
      const clause = clauseOf(part, queryables);
      const least = leastOf(part, queryables);
      if (clause) terms.push(clause);
      else if (least && !asked.filters.orUnknown?.includes(least.column))
        atLeast[least.column] = Math.max(least.value, atLeast[least.column] ?? least.value);
      else rest.push(condition);
    }
  }
  const [only, ...others] = rest;
  const where: Condition | undefined = others.length > 0 ? { kind: "all", of: rest } : only;
  return {
    ...(country === undefined ? {} : { country }),
    ...(area ? { area } : {}),
    filters: {
      ...asked.filters,
      ...(terms.length > 0 ? { terms } : {}),
      ...(Object.keys(atLeast).length > 0 ? { atLeast } : {}),
      ...(where ? { where: conditionTest(where) } : {}),
    },
  };
}

function isCountry(property: string, queryables: ReadonlyMap<string, Queryable>): boolean {
  return queryables.get(property)?.operand.kind === "country";
}

function conjuncts(cql2: Cql2): readonly Cql2[] {
  return cql2.op === "and" ? cql2.args.flatMap(conjuncts) : [cql2];
}

/** Returns the terms of which a row must have one; undefined if the index cannot answer. */
function clauseOf(part: Cql2, queryables: ReadonlyMap<string, Queryable>): readonly string[] | undefined {
  if (part.op !== "=" && part.op !== "in") return undefined;
  const { facet, fold = (text: string) => text } = queryables.get(part.property) ?? {};
  const literals = part.op === "in" ? part.values : [part.value];
  // an empty text has no term
  if (!facet || literals.length > MOST_LOOKED_UP || literals.includes("")) return undefined;
  return literals.map((literal) => `${facet}:${fold(String(literal))}`);
}

function leastOf(
  part: Cql2,
  queryables: ReadonlyMap<string, Queryable>,
): { readonly column: string; readonly value: number } | undefined {
  if (part.op !== ">=" || typeof part.value !== "number") return undefined;
  const column = queryables.get(part.property)?.least;
  return column === undefined ? undefined : { column, value: part.value };
}

/** The condition on rows. Throws `ParameterError` for unknown properties and types. */
function conditionOf(cql2: Cql2, queryables: ReadonlyMap<string, Queryable>): Condition {
  switch (cql2.op) {
    case "and":
    case "or":
      return {
        kind: cql2.op === "and" ? "all" : "any",
        of: cql2.args.map((arg) => conditionOf(arg, queryables)),
      };
    case "not":
      return { kind: "not", of: conditionOf(cql2.arg, queryables) };
    case "boolean":
      return { kind: "known", value: cql2.value };
    case "s_intersects":
      return meets(cql2.property, cql2.area);
    case "isNull":
      return { kind: "null", operand: queryable(cql2.property, queryables).operand };
    default:
      return compared(cql2, queryable(cql2.property, queryables));
  }
}

function meets(property: string, area: Area): Condition {
  if (property !== "geometry") throw fault(`S_INTERSECTS takes geometry, got ${property}`);
  return { kind: "meets", area };
}

type Comparing = Exclude<Cql2, { readonly op: "and" | "or" | "not" | "boolean" | "s_intersects" | "isNull" }>;

function compared(cql2: Comparing, { operand, type, fold }: Queryable): Condition {
  const { property } = cql2;
  const value = (literal: Literal): Scalar => {
    const wanted = type === "integer" ? "number" : type;
    if (typeof literal !== wanted) throw fault(`${property} is a ${wanted}, got ${JSON.stringify(literal)}`);
    return typeof literal === "string" && fold ? fold(literal) : literal;
  };
  const test = (): ValueTest => {
    switch (cql2.op) {
      case "in":
        return { op: "in", values: cql2.values.map(value) };
      case "between":
        return { op: "between", low: value(cql2.low), high: value(cql2.high) };
      case "like":
        return { op: "like", pattern: String(value(cql2.pattern)) };
      default:
        return { op: cql2.op, value: value(cql2.value) };
    }
  };
  return { kind: "compare", operand, test: test() };
}

function queryable(property: string, queryables: ReadonlyMap<string, Queryable>): Queryable {
  const found = queryables.get(property);
  if (found) return found;
  if (property === "geometry") throw fault("geometry takes S_INTERSECTS alone");
  throw fault(`${property} is not a property here; ${nearestOf(property, [...queryables.keys()])}`);
}

function fault(line: string): ParameterError {
  return new ParameterError([`filter: ${line}`]);
}

export type FilterLanguage = "cql2-text" | "cql2-json";

/** Parses a filter in either encoding. Throws `ParameterError` with what was expected and received. */
export function parseCql2(text: string, language: FilterLanguage): Cql2 {
  try {
    return language === "cql2-text" ? parseCql2Text(text) : parseCql2Json(text);
  } catch (error) {
    if (!(error instanceof CqlError)) throw error;
    throw new ParameterError([`filter must be CQL2; ${error.message}`]);
  }
}

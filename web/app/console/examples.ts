/** Example SQL over existing rows. @module */
import type { CollectionName } from "../../../data/format/collections.ts";
import { quoteLiteral } from "../../../data/format/sql.ts";

const EXAMPLE_NAMES = ["categories", "map", "tallest", "classes", "sources", "first"] as const;
type ExampleName = (typeof EXAMPLE_NAMES)[number];

export interface Example {
  readonly name: ExampleName;
  readonly sql: string;
}

/** A table or view in SQL (`from`), the collections whose rows it contains, and the country to which an example limits it. */
export interface Source {
  readonly from: string;
  readonly collections: readonly CollectionName[];
  readonly country?: string;
}

/** Returns the examples for whose rows there is a source, in a fixed order. */
export function examplesFor(sources: readonly Source[]): readonly Example[] {
  const of = (name: CollectionName) => sources.find(({ collections }) => collections.includes(name));
  const any = of("place") ?? of("building") ?? of("division") ?? sources[0];
  return [
    ...example("categories", of("place"), placeCategories),
    ...example("map", of("place"), placeMap),
    ...example("tallest", of("building"), tallest),
    ...example("classes", of("segment"), classes),
    ...example("sources", any, rowsBySource),
    ...example("first", any, (source) => `SELECT *\n${rowsOf(source)}\nLIMIT 20`),
  ];
}

function example(name: ExampleName, source: Source | undefined, sqlOf: (source: Source) => string): Example[] {
  return source ? [{ name, sql: sqlOf(source) }] : [];
}

function rowsOf({ from, country }: Source, ...conditions: readonly string[]): string {
  const all = [...(country === undefined ? [] : [`country = ${quoteLiteral(country)}`]), ...conditions];
  return all.length === 0 ? `FROM ${from}` : `FROM ${from}\nWHERE ${all.join(" AND ")}`;
}

const placeCategories = (source: Source): string => `SELECT categories.primary AS category, count(*) AS places
${rowsOf(source)}
GROUP BY ALL
ORDER BY places DESC, category
LIMIT 50`;

const placeMap = (source: Source): string => `SELECT names.primary AS name, confidence, geometry
${rowsOf(source, "confidence > 0.9")}
ORDER BY confidence DESC`;

const tallest = (source: Source): string => `SELECT names.primary AS name, height, num_floors, geometry
${rowsOf(source, "height IS NOT NULL")}
ORDER BY height DESC
LIMIT 100`;

const classes = (source: Source): string => `SELECT subtype, class, count(*) AS segments
${rowsOf(source)}
GROUP BY ALL
ORDER BY segments DESC`;

const rowsBySource = (source: Source): string => `SELECT source.dataset, count(*) AS rows
FROM (SELECT unnest(sources) AS source ${rowsOf(source).replaceAll("\n", " ")})
GROUP BY ALL
ORDER BY rows DESC`;

/**
 * SQL to begin with, for the tables that are there.
 * @module
 */
export const EXAMPLE_NAMES = ["categories", "map", "tallest", "classes", "sources", "first"] as const;
export type ExampleName = (typeof EXAMPLE_NAMES)[number];

export interface Example {
  readonly name: ExampleName;
  readonly sql: string;
}

/** Of each table that has rows. `source` is a table to look at in general. */
export function examplesFor(tables: readonly { readonly name: string; readonly rows: number }[]): readonly Example[] {
  const has = (name: string) => tables.some((table) => table.name === name && table.rows > 0);
  const source = ["place", "building", "division", ...tables.map(({ name }) => name)].find(has);
  if (!source) return [];
  return [
    ...(has("place") ? [example("categories", PLACE_CATEGORIES), example("map", PLACE_MAP)] : []),
    ...(has("building") ? [example("tallest", TALLEST)] : []),
    ...(has("segment") ? [example("classes", CLASSES)] : []),
    example(
      "sources",
      `SELECT source.dataset, count(*) AS rows\nFROM (SELECT unnest(sources) AS source FROM ${source})\nGROUP BY ALL\nORDER BY rows DESC`,
    ),
    example("first", `SELECT * FROM ${source} LIMIT 20`),
  ];
}

const example = (name: ExampleName, sql: string): Example => ({ name, sql });

const PLACE_CATEGORIES = `SELECT categories.primary AS category, count(*) AS places
FROM place
GROUP BY ALL
ORDER BY places DESC, category
LIMIT 50`;

const PLACE_MAP = `SELECT names.primary AS name, confidence, geometry
FROM place
WHERE confidence > 0.9
ORDER BY confidence DESC`;

const TALLEST = `SELECT names.primary AS name, height, num_floors, geometry
FROM building
WHERE height IS NOT NULL
ORDER BY height DESC
LIMIT 100`;

const CLASSES = `SELECT subtype, class, count(*) AS segments
FROM segment
GROUP BY ALL
ORDER BY segments DESC`;

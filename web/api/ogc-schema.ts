/**
 * The properties of a collection's items and their types, as JSON schemas.
 * @see https://docs.ogc.org/is/23-058r2/23-058r2.html
 * @module
 */
import { COLLECTIONS, type Collection, type Column } from "../../data/format/collections.ts";
import type { Feature, Json } from "../engine/index.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** Columns that are no properties, or that are placed separately. */
const LISTED = new Set(["id", "geometry", "bbox", "version"]);

interface Property extends Column {
  readonly values?: readonly string[];
}

/** Returns every property of the collection's items, in order, with DuckDB types. */
function propertiesOf({ theme, type, countryRule, columns, computed = [] }: Collection): readonly Property[] {
  const [id, version] = ["id", "version"].map((wanted) => columns.filter((column) => column.name === wanted));
  const known = COLLECTIONS.place.columns;
  const made = computed.flatMap((wanted) => known.filter((column) => column.name === wanted));
  const own = [...made, ...columns.filter((column) => !LISTED.has(column.name))];
  const text = (of: string, doc: string, values?: readonly string[]): Property => ({
    name: of,
    type: "VARCHAR",
    doc,
    ...(values ? { values } : {}),
  });
  const declared = text("country", "Country that the record declares, ISO 3166-1 alpha-2.");
  return [
    ...(id ?? []),
    text("theme", "Overture's theme, or `own`.", [theme]),
    text("type", "Overture's type, or the name of the collection.", [type]),
    ...(version ?? []).map((column) => ({ ...column, type: "VARCHAR" })),
    ...(countryRule === "declared" ? [declared] : []),
    text("ext_country", "Country whose searches find the record, if it declares none; ZZ if unknown."),
    ...own.flatMap((column) =>
      type === "place" && column.name === "names"
        ? [column, { ...column, name: "ext_name", doc: "The names again." }]
        : [column],
    ),
    { name: "ext_distance", type: "DOUBLE", doc: "Metres from the middle of the box; null without one." },
  ];
}

/** Returns the properties of an item, with null for each that it lacks: clients take their columns from the first page. */
export function everyProperty(schema: Collection, { properties }: Pick<Feature, "properties">): Feature["properties"] {
  const all: Record<string, Json> = {};
  for (const { name: property } of propertiesOf(schema)) all[property] = properties[property] ?? null;
  return { ...all, ...properties };
}

/** Returns the logical schema of OGC API - Features, Part 5. A property that is not required may be null. */
export function schemaOf(schema: Collection, id: string): JsonSchema {
  const properties = propertiesOf(schema).map((property, index) => [
    property.name,
    {
      title: property.name.replaceAll("_", " "),
      description: property.doc,
      ...typeSchema(property),
      ...(property.name === "id" ? { "x-ogc-role": "id" } : {}),
      "x-ogc-propertySeq": index + 2,
    },
  ]);
  const geometry = {
    title: "geometry",
    description: "Shape in WGS84 degrees, longitude first.",
    format: "geometry-any",
    "x-ogc-role": "primary-geometry",
    "x-ogc-propertySeq": 1,
  };
  return {
    $schema: DRAFT,
    $id: id,
    type: "object",
    title: `Items of ${schema.name}`,
    description: "Properties without a value are null.",
    properties: { geometry, ...Object.fromEntries(properties) },
    required: ["geometry", "id", "theme", "type", "version"],
    additionalProperties: false,
  };
}

/**
 * Returns the schema of an item as GeoJSON, from which GDAL takes the types of columns. GDAL reads only a single type
 * name, so null is not included, and it adds the column `id` itself.
 */
export function featureSchemaOf(schema: Collection, id: string): JsonSchema {
  const own = propertiesOf(schema).filter((property) => property.name !== "id");
  const properties = own.map((property) => [property.name, typeSchema(property)]);
  return {
    $schema: DRAFT,
    $id: id,
    type: "object",
    title: `An item of ${schema.name} as GeoJSON`,
    description: "Types of the values: any property may be null.",
    properties: {
      type: { type: "string", enum: ["Feature"] },
      id: { type: "string" },
      geometry: { type: "object" },
      properties: { type: "object", properties: Object.fromEntries(properties) },
    },
  };
}

function typeSchema({ type, values }: Property): JsonSchema {
  return { ...schemaOfType(type), ...(values ? { enum: values } : {}) };
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  VARCHAR: { type: "string" },
  INTEGER: { type: "integer", format: "int32" },
  DOUBLE: { type: "number", format: "double" },
  BOOLEAN: { type: "boolean" },
};

/** Returns the JSON schema for values of a DuckDB type. Throws for a type that no column has. */
export function schemaOfType(type: string): JsonSchema {
  if (type.endsWith("[]")) return { type: "array", items: schemaOfType(type.slice(0, -2)) };
  const [, outer, inner = ""] = /^(STRUCT|MAP)\((.*)\)$/.exec(type) ?? [];
  if (outer === "MAP") {
    const [, value = ""] = partsOf(inner);
    return { type: "object", additionalProperties: schemaOfType(value) };
  }
  if (outer === "STRUCT") {
    const members = partsOf(inner).map((part) => {
      const [, quoted, plain, of = ""] = /^(?:"([^"]+)"|(\S+)) (.*)$/.exec(part) ?? [];
      return [quoted ?? plain ?? "", schemaOfType(of)];
    });
    return { type: "object", properties: Object.fromEntries(members) };
  }
  const scalar = SCALARS[type];
  if (!scalar) throw new Error(`no JSON schema for values of ${type}`);
  return scalar;
}

/** Splits at commas outside parentheses. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")") depth--;
    if (text[at] !== "," || depth > 0) continue;
    parts.push(text.slice(start, at).trim());
    start = at + 1;
  }
  return [...parts, text.slice(start).trim()];
}

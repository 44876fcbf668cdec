/**
 * Schemas of answers, for the OpenAPI document.
 * @module
 */
import { z } from "@hono/zod-openapi";
import { globalRegistry, type ZodMiniObject } from "zod/mini";
import { ownCollection } from "../../data/format/own-collections.ts";
import type { Grouping } from "../engine/index.ts";
import { FORMAT_NAMES, formatNamed, type OwnPath } from "../search/index.ts";
import { schemaOfType } from "./ogc-schema.ts";

// One per schema: the library caches data per schema, and the edge host creates the interface for each request.
const described = new WeakMap<ZodMiniObject, ReturnType<typeof describeAll>>();

/** Returns the parameters of a schema for the OpenAPI document, whose library cannot read the schemas that parse them. */
export function documented(schema: ZodMiniObject, required: readonly string[] = []) {
  const known = described.get(schema) ?? describeAll(schema, required);
  described.set(schema, known);
  return known;
}

function describeAll({ shape }: ZodMiniObject, required: readonly string[]) {
  const parameters = Object.entries(shape).map(([name, parameter]) => {
    const { param, ...schema } = (globalRegistry.get(parameter) ?? {}) as { readonly param?: object };
    return [name, z.unknown().meta({ ...schema, param: { ...param, required: required.includes(name) } })];
  });
  return z.object(Object.fromEntries(parameters));
}

/** Returns a schema that also allows null. `nullable()` of a component would write `allOf`, which null does not meet. */
export function orNull<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.null()]);
}

export const geometry = z
  .looseObject({ type: z.string() })
  .openapi("Geometry", { description: "A GeoJSON geometry; coordinates are [longitude, latitude], WGS84." });

const otherNames = {
  common: z.record(z.string(), z.string()).optional(),
  rules: z.array(z.looseObject({ variant: z.string().optional(), value: z.string().optional() })).optional(),
};

const names = z
  .object({ primary: z.string().optional(), ...otherNames })
  .openapi("Names", { description: "Main name, names by language code, and variants." });

const source = z
  .looseObject({
    property: z
      .string()
      .openapi({ description: "JSON pointer to the part that it is the source of; empty for the whole record." }),
    dataset: z.string(),
    record_id: z.string().openapi({ description: "Empty if the dataset has none." }),
  })
  .openapi("Source");

const brand = z.looseObject({
  names: z.object({ primary: z.string().openapi({ description: "Empty if the brand has none." }), ...otherNames }),
  wikidata: z.string().optional(),
});

const address = z.looseObject({
  freeform: z.string().optional(),
  locality: z.string().optional(),
  postcode: z.string().optional(),
  region: z.string().optional(),
  country: z.string().optional(),
});

const properties = z
  .looseObject({
    id: z.string().openapi({ description: "The id of the record again; present independent of `includes`." }),
    theme: z.string().optional(),
    type: z.string().optional(),
    version: z.string().optional(),
    sources: z.array(source).optional(),
    names: names.optional(),
    ext_name: names.optional(),
    categories: z.object({ primary: z.string().optional(), alternate: z.array(z.string()).optional() }).optional(),
    confidence: z.number().optional(),
    websites: z.array(z.string()).optional(),
    socials: z.array(z.string()).optional(),
    emails: z.array(z.string()).optional(),
    phones: z.array(z.string()).optional(),
    brand: brand.optional(),
    addresses: z.array(address).optional(),
    subtype: z.string().optional(),
    class: z.string().optional(),
    country: z.string().optional(),
    ext_country: z.string().optional().openapi({
      description: "Country whose outline contains the record, used by `country`. `ZZ` if unknown.",
    }),
    ext_distance: z
      .number()
      .nonnegative()
      .optional()
      .openapi({ description: "Metres from `lat` and `lng`, or from the representative point of the area." }),
  })
  .openapi("Properties", {
    description: "Overture's columns of the record's type, without null ones, and what the interface adds.",
  });

export const record = z
  .object({ id: z.string(), type: z.literal("Feature"), geometry: orNull(geometry), properties })
  .openapi("Record", {
    description:
      "A GeoJSON feature. `geometry` is null only with `include_geometry=false`, and in `divisions` of `/reverse`.",
  });

/** Returns the schema of a GeoJSON FeatureCollection of these features. */
export const collectionOf = (one: z.ZodType) =>
  z.object({ type: z.literal("FeatureCollection"), features: z.array(one) });

export const collection = collectionOf(record).openapi("FeatureCollection");

/** Returns the schema of a record of a collection with its own schema: columns have the types of the table. */
export function ownRecord({ path, own }: OwnPath) {
  const name = path.slice(1);
  const { columns, computed = [] } = ownCollection(name, own);
  const shared = new Set(["id", "theme", "type", "version", "ext_country", "ext_distance", ...computed]);
  const stored = columns.filter((column) => own.columns.some((known) => known.name === column.name));
  const ownProperties = z.looseObject({
    ...Object.fromEntries(Object.entries(properties.shape).filter(([property]) => shared.has(property))),
    ...Object.fromEntries(
      stored.map(({ name: column, type, doc }) => [
        column,
        z
          .unknown()
          .meta({ ...schemaOfType(type), description: doc })
          .optional(),
      ]),
    ),
  });
  return z
    .object({ ...record.shape, properties: ownProperties })
    .openapi(`Record_${name}`, { description: `A GeoJSON feature of the collection ${name}.` });
}

const fault = z
  .object({ statusCode: z.int(), message: z.array(z.string()), error: z.string() })
  .openapi("Error", { description: "One line of `message` for each fault." });

const count = (description: string) => ({
  description,
  required: true,
  schema: { type: "integer" as const, minimum: 0 },
});

export const pagingHeaders = {
  "Pagination-Count": count("Number of matching records, over all pages."),
  "Pagination-Page": count("Number of this page, from 0."),
  "Pagination-Limit": count("The page size used."),
  "X-Total-Count": count("Records in this response."),
  Link: {
    description:
      "Links to the first, previous, next and last page (RFC 8288), with `release` on all but the first, and without the key: add it to each, or send the header. They are relative to the request where the service does not know its address. With `geojsonl` and `spreadsheet`, which have no place for sources and licences, a `license` link too.",
    schema: { type: "string" as const },
  },
  "Cairn-Release": {
    description: "The release that answered, percent-encoded.",
    schema: { type: "string" as const },
  },
  "Content-Disposition": {
    description: "A file name, with every format but JSON.",
    schema: { type: "string" as const },
  },
  ETag: {
    description: "Changes with the release and the query. Weak if the body is compressed; either can be revalidated.",
    schema: { type: "string" as const },
  },
};

const failed = (description: string) => ({ description, content: { "application/json": { schema: fault } } });

/** Responses for failures of paths with pages. */
export const pageFailures = {
  409: failed(
    "`release` is neither the current release nor one that the dataset keeps. Start again with the first page.",
  ),
};

/** Responses for failures of paths that read a body. */
export const bodyFailures = {
  405: failed("A body without `Content-Type`."),
  413: failed("The body is too large, or its area takes too long to search. Simplify its outline."),
  415: failed("The body is not `application/geo+json`."),
};

export const failures = {
  304: { description: "Not changed since the response with the `ETag` of `If-None-Match`." },
  400: failed("A parameter is wrong. Every fault is named."),
  401: failed(
    "The key is missing or unknown. Only if the service requires keys. Links contain no key: add it to `next`.",
  ),
  503: failed(
    "A data file cannot be read (the message names it), or too many searches are running; `Retry-After` says when to try again.",
  ),
};

/** Returns the responses of an operation that answers with JSON of this schema. */
export const jsonOrFailure = (description: string, schema: z.ZodType) => ({
  200: { description, content: { "application/json": { schema } } },
  ...failures,
});

const otherFormats = Object.fromEntries(
  FORMAT_NAMES.map((name) => formatNamed(name).contentType)
    .filter((type) => !/^(application\/(geo\+)?json|text\/csv);/.test(type))
    .map((type) => {
      const isText = type.endsWith("; charset=utf-8");
      return [type.replace(/;.*/, ""), { schema: isText ? z.string() : z.string().openapi({ format: "binary" }) }];
    }),
);

export const searchResponses = searchResponsesOf(record, collection);

/** Returns the responses of a search path. `one` is the schema of a record, `all` that of a FeatureCollection. */
export function searchResponsesOf(one: z.ZodType, all: z.ZodType) {
  return {
    200: {
      description: "The records: with `lat` and `lng` or an area by distance, then id; otherwise by id.",
      headers: pagingHeaders,
      content: {
        "application/json": { schema: z.array(one) },
        "application/geo+json": { schema: all },
        "text/csv": { schema: z.string() },
        ...otherFormats,
      },
    },
    ...failures,
    ...pageFailures,
  };
}

const { "Cairn-Release": ofRelease, "Content-Disposition": fileName, ETag } = pagingHeaders;

export const exportResponses = {
  ...searchResponses,
  200: {
    ...searchResponses[200],
    description: `All records, in the same order as in pages.`,
    headers: { "Cairn-Release": ofRelease, "Content-Disposition": fileName, ETag },
  },
};

export const recordResponses = recordResponsesOf(record);

/** Returns the responses of a path of one record. `one` is the schema of the record. */
export function recordResponsesOf(one: z.ZodType) {
  return {
    200: {
      description: "The record.",
      headers: { ETag: pagingHeaders.ETag },
      content: {
        "application/json": { schema: one },
        "application/geo+json": { schema: one },
        "text/csv": { schema: z.string() },
        ...otherFormats,
      },
    },
    404: failed("No record has this id."),
    ...failures,
  };
}

const leftOut = count("Features that meet the tile, or may, and are not in it.");

export const tileResponses = {
  200: {
    description: "The tile, Mapbox Vector Tile 2.",
    headers: { ETag: pagingHeaders.ETag, "Cairn-Tile-Left-Out": leftOut },
    content: { "application/vnd.mapbox-vector-tile": { schema: z.string().openapi({ format: "binary" }) } },
  },
  204: {
    description: "The tile is empty.",
    headers: { ETag: pagingHeaders.ETag, "Cairn-Tile-Left-Out": leftOut },
  },
  404: failed("The dataset has no such collection."),
  ...failures,
};

const places = z.int().nonnegative();
const counted = {
  brand: z
    .object({ names: names.optional(), wikidata: z.string().optional(), counts: z.object({ places }) })
    .openapi("Brand"),
  category: z.object({ primary: z.string(), counts: z.object({ places, brands: places }) }).openapi("Category"),
  country: z.object({ country: z.string(), counts: z.object({ places, brands: places }) }).openapi("Country"),
};

/** Returns the responses of a path that counts places by this group. */
export function countResponses(by: Grouping) {
  return {
    200: {
      description: "The counts: largest first, then by name.",
      headers: pagingHeaders,
      content: { "application/json": { schema: z.array(counted[by]) }, "text/csv": { schema: z.string() } },
    },
    ...failures,
    ...pageFailures,
  };
}

const position = z.array(z.number().min(-360).max(360)).min(2);
const rings = z.array(z.array(position).min(4)).min(1);
const polygons = z.union([
  z.object({ type: z.literal("Polygon"), coordinates: rings }),
  z.object({ type: z.literal("MultiPolygon"), coordinates: z.array(rings).min(1) }),
]);

export const AREA_TYPE = "application/geo+json";

export const areaBody = {
  required: true,
  content: {
    [AREA_TYPE]: {
      schema: z.union([polygons, z.looseObject({ type: z.literal("Feature"), geometry: polygons })]).openapi("Area", {
        description:
          "A GeoJSON Polygon or MultiPolygon, or a Feature with one; [longitude, latitude] in degrees, WGS84. Longitudes may exceed 180 or -180, so that a ring across the antimeridian is continuous.",
      }),
    },
  },
};

/**
 * JSON schemas for the parts of STAC 1.1 and its table extension 1.2 that Cairn uses. Written from the specifications,
 * because no package contains the published schemas.
 * @module
 */
const link = {
  type: "object",
  required: ["rel", "href"],
  properties: {
    rel: { type: "string", minLength: 1 },
    href: { type: "string", format: "uri-reference", minLength: 1 },
  },
};

const common = {
  stac_version: { const: "1.1.0" },
  id: { type: "string", minLength: 1, pattern: "^[\\w.-]+$" },
  description: { type: "string", minLength: 1 },
  links: { type: "array", items: link, contains: { type: "object", properties: { rel: { const: "root" } } } },
};

export const CATALOG_SCHEMA = {
  type: "object",
  required: ["type", "stac_version", "id", "description", "links"],
  properties: { ...common, type: { const: "Catalog" } },
};

const provider = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 1 },
    roles: { type: "array", items: { enum: ["producer", "licensor", "processor", "host"] } },
    url: { type: "string", format: "uri" },
  },
};

const asset = {
  type: "object",
  required: ["href"],
  properties: {
    href: { type: "string", format: "uri-reference", minLength: 1 },
    type: { type: "string" },
    roles: { type: "array", items: { type: "string" } },
    "file:size": { type: "integer", minimum: 0 },
    // A multihash: code and length of SHA-256, then its 32 bytes.
    "file:checksum": { type: "string", pattern: "^1220[0-9a-f]{64}$" },
    "table:row_count": { type: "integer", minimum: 0 },
  },
};

const extensions = { type: "array", uniqueItems: true, items: { type: "string", format: "uri" } };

const position = { type: "array", minItems: 2, maxItems: 2, items: { type: "number" } };
const ring = { type: "array", minItems: 4, items: position };
const polygon = { type: "array", minItems: 1, items: ring };

export const ITEM_SCHEMA = {
  type: "object",
  required: ["type", "stac_version", "id", "geometry", "bbox", "properties", "links", "assets", "collection"],
  properties: {
    type: { const: "Feature" },
    stac_version: common.stac_version,
    stac_extensions: extensions,
    id: common.id,
    links: { ...common.links, allOf: [{ contains: { properties: { rel: { const: "collection" } } } }] },
    collection: { type: "string", minLength: 1 },
    bbox: { type: "array", minItems: 4, maxItems: 4, items: { type: "number" } },
    geometry: {
      oneOf: [
        { properties: { type: { const: "Polygon" }, coordinates: polygon } },
        { properties: { type: { const: "MultiPolygon" }, coordinates: { type: "array", items: polygon } } },
      ],
    },
    properties: {
      type: "object",
      // A null date requires both ends of an interval.
      required: ["datetime", "start_datetime", "end_datetime"],
      properties: {
        datetime: { type: "null" },
        start_datetime: { type: "string", format: "date-time" },
        end_datetime: { type: "string", format: "date-time" },
        "table:row_count": { type: "integer", minimum: 0 },
        "table:primary_geometry": { type: "string" },
      },
    },
    assets: { type: "object", additionalProperties: asset },
  },
};

export const COLLECTION_SCHEMA = {
  type: "object",
  required: ["type", "stac_version", "id", "description", "license", "extent", "links"],
  properties: {
    ...common,
    type: { const: "Collection" },
    stac_extensions: extensions,
    keywords: { type: "array", items: { type: "string" } },
    license: { type: "string", pattern: "^[\\w.+-]+$" },
    providers: { type: "array", items: provider },
    extent: {
      type: "object",
      required: ["spatial", "temporal"],
      properties: {
        spatial: {
          type: "object",
          required: ["bbox"],
          properties: {
            bbox: {
              type: "array",
              minItems: 1,
              items: { type: "array", minItems: 4, maxItems: 4, items: { type: "number" } },
            },
          },
        },
        temporal: {
          type: "object",
          required: ["interval"],
          properties: {
            interval: {
              type: "array",
              minItems: 1,
              items: {
                type: "array",
                minItems: 2,
                maxItems: 2,
                items: { type: ["string", "null"], format: "date-time" },
              },
            },
          },
        },
      },
    },
    summaries: { type: "object", additionalProperties: { type: "array", minItems: 1 } },
    assets: { type: "object", additionalProperties: asset },
    "table:columns": {
      type: "array",
      items: { type: "object", required: ["name"], properties: { name: { type: "string" }, type: { type: "string" } } },
    },
    "table:primary_geometry": { type: "string" },
    "table:row_count": { type: "integer", minimum: 0 },
  },
};

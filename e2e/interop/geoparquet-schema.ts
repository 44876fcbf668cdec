/**
 * GeoParquet 1.1's rules for the key `geo` as a JSON schema, from the specification and its published schema. Of the
 * rules of `crs` only null is included: our files have none, which means OGC:CRS84.
 * @see https://geoparquet.org/releases/v1.1.0/
 * @module
 */
const edgePath = (edge: string) => ({
  type: "array",
  minItems: 2,
  maxItems: 2,
  items: [{ type: "string", minLength: 1 }, { const: edge }],
});

const column = {
  type: "object",
  required: ["encoding", "geometry_types"],
  properties: {
    encoding: { enum: ["WKB", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon"] },
    geometry_types: {
      type: "array",
      uniqueItems: true,
      items: { type: "string", pattern: "^(GeometryCollection|(Multi)?(Point|LineString|Polygon))( Z)?$" },
    },
    crs: { type: ["object", "null"] },
    edges: { enum: ["planar", "spherical"] },
    orientation: { const: "counterclockwise" },
    bbox: {
      type: "array",
      items: { type: "number" },
      oneOf: [
        { minItems: 4, maxItems: 4 },
        { minItems: 6, maxItems: 6 },
      ],
    },
    epoch: { type: "number" },
    covering: {
      type: "object",
      required: ["bbox"],
      properties: {
        bbox: {
          type: "object",
          required: ["xmin", "xmax", "ymin", "ymax"],
          properties: Object.fromEntries(["xmin", "xmax", "ymin", "ymax"].map((edge) => [edge, edgePath(edge)])),
        },
      },
    },
  },
};

export const GEOPARQUET_SCHEMA = {
  type: "object",
  required: ["version", "primary_column", "columns"],
  properties: {
    version: { const: "1.1.0" },
    primary_column: { type: "string", minLength: 1 },
    columns: { type: "object", minProperties: 1, additionalProperties: column },
  },
};

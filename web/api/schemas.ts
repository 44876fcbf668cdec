/**
 * Shapes of answers, for the OpenAPI document.
 * @module
 */
import { z } from "@hono/zod-openapi";

const geometry = z
  .looseObject({ type: z.string() })
  .openapi("Geometry", { description: "A GeoJSON geometry; coordinates are [longitude, latitude], WGS84." });

const record = z
  .object({ id: z.string(), type: z.literal("Feature"), geometry, properties: z.record(z.string(), z.unknown()) })
  .openapi("Record", {
    description:
      "A GeoJSON feature. `properties` has Overture's columns; with `lat` and `lng` also `ext_distance`, metres.",
  });

const collection = z
  .object({ type: z.literal("FeatureCollection"), features: z.array(record) })
  .openapi("FeatureCollection");

const fault = z
  .object({ statusCode: z.int(), message: z.array(z.string()), error: z.string() })
  .openapi("Error", { description: "One line of `message` for each fault." });

const count = (description: string) => ({
  description,
  required: true,
  schema: { type: "integer" as const, minimum: 0 },
});

const pagingHeaders = {
  "Pagination-Count": count("Records matching, over all pages."),
  "Pagination-Page": count("The page served, from 0."),
  "Pagination-Limit": count("The page size used."),
  "X-Total-Count": count("Records in this response."),
  Link: {
    description: "Links to the first, previous, next and last page (RFC 8288).",
    schema: { type: "string" as const },
  },
  "Content-Disposition": { description: "A file name, with GeoJSON and CSV.", schema: { type: "string" as const } },
  ETag: { description: "Changes with the release and the query.", schema: { type: "string" as const } },
};

const failed = (description: string) => ({ description, content: { "application/json": { schema: fault } } });

/** What a search path may answer. */
export const searchResponses = {
  200: {
    description: "The records, in order: by distance then id with `lat` and `lng`, else by id.",
    headers: pagingHeaders,
    content: {
      "application/json": { schema: z.array(record) },
      "application/geo+json": { schema: collection },
      "text/csv": { schema: z.string() },
    },
  },
  304: { description: "Not changed since the response with the `ETag` of `If-None-Match`." },
  400: failed("A parameter is wrong. Every fault is named."),
  503: failed("A data file cannot be had. The message names it; `Retry-After` says when to try again."),
};

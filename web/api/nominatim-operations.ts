/** Nominatim's paths: their description for the OpenAPI document, and how they are answered. @module */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import {
  NOMINATIM_PATHS,
  type NominatimBody,
  nominatimBody,
  nominatimBodyOfOne,
  nominatimLookup,
  nominatimReverse,
  nominatimSearch,
  parseNominatim,
  photonStatus,
} from "../geocode/index.ts";
import type { Operation } from "./operation.ts";
import { documented, failures, jsonOrFailure } from "./schemas.ts";

const place = z
  .looseObject({
    place_id: z.number().openapi({ description: "A number made from `id`." }),
    licence: z.string(),
    osm_type: z.string().optional().openapi({ description: "Only if the record states its feature of OpenStreetMap." }),
    osm_id: z.number().optional(),
    id: z.string().openapi({ description: "The id of the record; `lookup` takes it." }),
    lat: z.string(),
    lon: z.string(),
    class: z.string().optional().openapi({ description: "With `format=json`." }),
    category: z.string().optional().openapi({ description: "With `format=jsonv2`." }),
    type: z.string(),
    place_rank: z.number(),
    importance: z.number(),
    addresstype: z.string(),
    name: z.string(),
    display_name: z.string(),
    address: z.record(z.string(), z.string()).optional(),
    extratags: z.record(z.string(), z.string()).optional(),
    namedetails: z.record(z.string(), z.string()).optional(),
    boundingbox: z.array(z.string()).length(4).openapi({ description: "south, north, west, east" }),
    ext_unused: z.array(z.string()).optional().openapi({ description: "Words of `q` that the result does not use." }),
  })
  .openapi("NominatimPlace");

const features = z
  .looseObject({
    type: z.literal("FeatureCollection"),
    features: z.array(z.looseObject({ type: z.literal("Feature") })),
  })
  .openapi("NominatimFeatures");

const nothing = z.object({ error: z.string() }).openapi("NominatimNothing");

const fault = z.object({ error: z.object({ code: z.number(), message: z.string() }) }).openapi("NominatimFault");

const faults = Object.fromEntries(
  Object.entries(failures).map(([status, { description, ...rest }]) => [
    status,
    "content" in rest ? { description, content: { "application/json": { schema: fault } } } : { description },
  ]),
);

const ok = (description: string, schema: z.ZodType) => ({ ...jsonOrFailure(description, schema), ...faults });

const lists = ok("The results, best first.", z.union([z.array(place), features]));

export const NOMINATIM_OPERATIONS: readonly (readonly [
  (typeof NOMINATIM_PATHS)[keyof typeof NOMINATIM_PATHS],
  Operation,
])[] = [
  [
    NOMINATIM_PATHS.search,
    {
      query: documented(NOMINATIM_PATHS.search.schema, NOMINATIM_PATHS.search.required),
      responses: lists,
      async find(dataset, parameters, options) {
        const asked = parseNominatim.search(parameters);
        const found = await nominatimSearch(dataset, asked, options);
        const credit = await dataset.manifest(options.signal);
        return framed(nominatimBody(found, { shown: asked.shown, query: asked.text, credit }));
      },
    },
  ],
  [
    NOMINATIM_PATHS.reverse,
    {
      query: documented(NOMINATIM_PATHS.reverse.schema, NOMINATIM_PATHS.reverse.required),
      responses: ok("What is at the point.", z.union([place, features, nothing])),
      async find(dataset, parameters, options) {
        const asked = parseNominatim.reverse(parameters);
        const found = await nominatimReverse(dataset, asked, options);
        const credit = await dataset.manifest(options.signal);
        return framed(nominatimBodyOfOne(found, { shown: asked.shown, query: `${asked.lat},${asked.lon}`, credit }));
      },
    },
  ],
  [
    NOMINATIM_PATHS.lookup,
    {
      query: documented(NOMINATIM_PATHS.lookup.schema, NOMINATIM_PATHS.lookup.required),
      responses: lists,
      async find(dataset, parameters, options) {
        const asked = parseNominatim.lookup(parameters);
        const found = await nominatimLookup(dataset, asked, options);
        const credit = await dataset.manifest(options.signal);
        return framed(nominatimBody(found, { shown: asked.shown, query: asked.ids.join(","), credit }));
      },
    },
  ],
  [
    NOMINATIM_PATHS.status,
    {
      query: documented(NOMINATIM_PATHS.status.schema, NOMINATIM_PATHS.status.required),
      responses: {
        200: {
          description: "The data can be read.",
          content: {
            "text/plain": { schema: z.literal("OK") },
            "application/json": {
              schema: z
                .object({ status: z.literal(0), message: z.literal("OK"), data_updated: z.iso.datetime().nullable() })
                .openapi("NominatimStatus"),
            },
          },
        },
        ...faults,
      },
      async find(dataset, parameters, { signal }) {
        const format = parseNominatim.status(parameters);
        const { import_date } = photonStatus(await dataset.manifest(signal));
        if (format === "json")
          return framed({ ...ALONE, values: [{ status: 0, message: "OK", data_updated: import_date }] });
        return {
          frame: { contentType: "text/plain; charset=utf-8", open: "OK", separator: "", close: "" },
          values: [],
        };
      },
    },
  ],
];

const ALONE = { contentType: "application/json; charset=utf-8", open: "", separator: "", close: "\n" };

function framed({ values, ...frame }: NominatimBody): Awaited<ReturnType<Operation["find"]>> {
  return { frame, values };
}

/** Middleware that rewrites JSON errors of later handlers in Nominatim's format, `{"error": {"code", "message"}}`. */
export const asNominatimError: MiddlewareHandler = async (c, next) => {
  await next();
  const { status, headers } = c.res;
  if (status < 400 || !headers.get("Content-Type")?.startsWith("application/json")) return;
  const { message } = (await c.res.json()) as { readonly message: readonly string[] };
  const body = JSON.stringify({ error: { code: status, message: message.join("; ") } });
  c.res = new Response(body, { status, headers });
};

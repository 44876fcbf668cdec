/**
 * Schemas of answers to searches by text and by point, for the OpenAPI document.
 * @module
 */
import { z } from "@hono/zod-openapi";
import { LAYERS } from "../geocode/index.ts";
import { collection, failures, jsonOrFailure, orNull, record } from "./schemas.ts";

const suggestion = z
  .looseObject({
    kind: z.enum(["country", "division", "place", "street", "address", "category"]),
    collection: z.string(),
    id: z.string(),
    name: z.string(),
    detail: z.string().openapi({ description: "Distinguishes it from others of the name; may be empty." }),
    country: z.string(),
    lng: z.number(),
    lat: z.number(),
    bbox: z.array(z.number()).length(4).optional(),
    match: z.string().optional().openapi({ description: "How the words matched, such as `exact` or `misspelt`." }),
    matched: z.string().optional().openapi({ description: "The name that matched, if it is not `name`." }),
    meters: z.number().optional().openapi({ description: "Metres from `lat` and `lng`." }),
    unused: z.array(z.string()).openapi({ description: "Words of the text that the suggestion does not use." }),
  })
  .openapi("Suggestion");

const reversed = z
  .object({
    label: z.string().openapi({ description: "One line: the address, street or place, the town, the country." }),
    address: orNull(record),
    street: orNull(record),
    place: orNull(record),
    divisions: z.array(record).openapi({ description: "Areas that contain the point, widest first; no geometry." }),
  })
  .openapi("Reversed");

const photonFeature = z
  .object({
    type: z.literal("Feature"),
    geometry: z.object({ type: z.literal("Point"), coordinates: z.array(z.number()).length(2) }),
    properties: z.looseObject({
      id: z.string(),
      type: z.enum(LAYERS),
      name: z.string().optional(),
      street: z.string().optional(),
      housenumber: z.string().optional(),
      postcode: z.string().optional(),
      city: z.string().optional(),
      county: z.string().optional(),
      state: z.string().optional(),
      country: z.string().optional(),
      countrycode: z.string().optional(),
      extent: z.array(z.number()).length(4).optional().openapi({ description: "west, north, east, south" }),
      ext_unused: z.array(z.string()).optional().openapi({ description: "Words of `q` that the answer does not use." }),
    }),
  })
  .openapi("PhotonFeature");

export const suggestResponses = jsonOrFailure("What the text can mean, best first.", z.array(suggestion));

export const textSearchResponses = {
  200: {
    description:
      "The records, best first, each with `ext_match`, and with `ext_unused`: the words of the text that it does not use.",
    content: {
      "application/json": { schema: z.array(record) },
      "application/geo+json": { schema: collection },
    },
  },
  ...failures,
};

export const reverseResponses = jsonOrFailure("What is at the point.", reversed);

export const photonResponses = {
  200: {
    description: "The features, best first.",
    content: {
      "application/geo+json": {
        schema: z
          .object({ type: z.literal("FeatureCollection"), features: z.array(photonFeature) })
          .openapi("PhotonFeatures"),
      },
    },
  },
  ...failures,
};

export const photonStatusResponses = jsonOrFailure(
  "The data can be read.",
  z
    .object({
      status: z.literal("Ok"),
      import_date: z.iso
        .datetime()
        .nullable()
        .openapi({ description: "The date of the release; null if its name has none." }),
      release: z.string(),
    })
    .openapi("PhotonStatus"),
);

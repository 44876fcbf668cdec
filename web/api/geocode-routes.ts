/**
 * Routes for searches by text and by point, in three formats: Cairn's own, Photon's and Nominatim's. Programs made for
 * Photon or Nominatim can use the last two.
 * @module
 */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dataset } from "../engine/index.ts";
import {
  AUTOCOMPLETE_PATH,
  type GeocoderPath,
  NOMINATIM_PATHS,
  PHOTON_PATHS,
  parsePhoton,
  parseReverse,
  parseText,
  photonFeatures,
  photonReverse,
  photonStatus,
  positionOf,
  REVERSE_PATH,
  recordsAt,
  recordsOf,
  runReverse,
  shownSuggestion,
  TEXT_SEARCH_PATH,
} from "../geocode/index.ts";
import {
  bodyOf,
  type Frame,
  GEOJSON_FRAME,
  JSON_FRAME,
  parametersOf,
  pathParameters,
  shownFeature,
} from "../search/index.ts";
import { answer } from "./answer.ts";
import {
  photonResponses,
  photonStatusResponses,
  reverseResponses,
  suggestResponses,
  textSearchResponses,
} from "./geocode-schemas.ts";
import { NOMINATIM_OPERATIONS } from "./nominatim-operations.ts";
import type { Operation } from "./operation.ts";
import { documented } from "./schemas.ts";

const ALONE: Frame = { contentType: JSON_FRAME.contentType, open: "", separator: "", close: "\n" };
/** Displayed by a browser, not downloaded. */
const { extension: _, ...FEATURES } = GEOJSON_FRAME;

/** Paths of these routes, relative to the base URL. */
export const GEOCODE_PATHS: readonly string[] = [
  ...[AUTOCOMPLETE_PATH, TEXT_SEARCH_PATH, REVERSE_PATH].map(({ path }) => path),
  ...[...Object.values(PHOTON_PATHS), ...Object.values(NOMINATIM_PATHS)].map(({ path }) => path),
];

type Described = Pick<GeocoderPath, "path" | "summary" | "description">;

/** Adds the paths of searches by text and by point. */
export function addGeocodePaths(api: OpenAPIHono, dataset: Dataset): void {
  add(AUTOCOMPLETE_PATH, {
    query: documented(pathParameters(AUTOCOMPLETE_PATH), AUTOCOMPLETE_PATH.required),
    responses: suggestResponses,
    async find(dataset, parameters, options) {
      const { query } = parseText(AUTOCOMPLETE_PATH, parameters);
      return { frame: JSON_FRAME, values: (await dataset.suggest(query, options)).map(shownSuggestion) };
    },
  });
  add(TEXT_SEARCH_PATH, {
    query: documented(pathParameters(TEXT_SEARCH_PATH), TEXT_SEARCH_PATH.required),
    responses: textSearchResponses,
    async find(dataset, parameters, options) {
      const { query, format, properties } = parseText(TEXT_SEARCH_PATH, parameters);
      const point = await positionOf(dataset, query, options);
      const { limit, language } = query;
      const records = point
        ? await recordsAt(dataset, point, { ...options, limit, language })
        : await recordsOf(dataset, await dataset.suggest(query, options), options);
      const shown = { format, properties, hasGeometry: true };
      const frame = format === "geojson" ? GEOJSON_FRAME : JSON_FRAME;
      return { frame, values: records.map((record) => shownFeature(record, shown)) };
    },
  });
  add(REVERSE_PATH, {
    query: documented(pathParameters(REVERSE_PATH), REVERSE_PATH.required),
    responses: reverseResponses,
    async find(dataset, parameters, options) {
      return { frame: ALONE, values: [await runReverse(dataset, parseReverse(parameters), options)] };
    },
  });
  add(PHOTON_PATHS.api, {
    query: documented(PHOTON_PATHS.api.schema, PHOTON_PATHS.api.required),
    responses: photonResponses,
    async find(dataset, parameters, options) {
      return { frame: FEATURES, values: await photonFeatures(dataset, parsePhoton.search(parameters), options) };
    },
  });
  add(PHOTON_PATHS.reverse, {
    query: documented(PHOTON_PATHS.reverse.schema, PHOTON_PATHS.reverse.required),
    responses: photonResponses,
    async find(dataset, parameters, options) {
      return { frame: FEATURES, values: await photonReverse(dataset, parsePhoton.reverse(parameters), options) };
    },
  });
  add(PHOTON_PATHS.status, {
    query: documented(PHOTON_PATHS.status.schema, PHOTON_PATHS.status.required),
    responses: photonStatusResponses,
    async find(dataset, parameters, { signal }) {
      parsePhoton.status(parameters);
      return { frame: ALONE, values: [photonStatus(await dataset.manifest(signal))] };
    },
  });
  for (const [path, operation] of NOMINATIM_OPERATIONS) add(path, operation);

  function add({ path, summary, description }: Described, { query, responses, find }: Operation): void {
    const operationId = path.slice(1).replace(/\/(.)/g, (_, letter: string) => letter.toUpperCase());
    const said = { operationId, tags: ["geocode"], summary, description };
    api.openAPIRegistry.registerPath(createRoute({ method: "get", path, ...said, request: { query }, responses }));
    api.get(path, async (c) => {
      const { signal } = c.req.raw;
      const parameters = parametersOf(new URL(c.req.url).searchParams);
      return answer({ c, dataset }, async ({ dataset }) => {
        const { frame, values } = await find(dataset, parameters, { signal });
        const records = values.map((value) => JSON.stringify(value));
        return { frame, pieces: bodyOf(frame, records), fileName: path.slice(1) };
      });
    });
  }
}

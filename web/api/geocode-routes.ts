/**
 * Routes from words to places and back: in our own style, and in Photon's for programs that take the address of one.
 * @module
 */
import { createRoute, type OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Dataset, Feature } from "../engine/index.ts";
import {
  AUTOCOMPLETE_PATH,
  PHOTON_PATHS,
  type PhotonPath,
  parsePhoton,
  parseReverse,
  parseText,
  photonFeatures,
  photonReverse,
  REVERSE_PATH,
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
  type ParameterPath,
  parametersOf,
  pathParameters,
  shownFeature,
} from "../search/index.ts";
import { answer } from "./answer.ts";
import { photonResponses, reverseResponses, suggestResponses, textSearchResponses } from "./geocode-schemas.ts";

/** One JSON value. */
const ALONE: Frame = { contentType: JSON_FRAME.contentType, open: "", separator: "", close: "\n" };
/** Shown by a browser, where a download would be in the way. */
const { extension: _, ...FEATURES } = GEOJSON_FRAME;

/** Paths of these routes, below the base URL. */
export const GEOCODE_PATHS: readonly string[] = [
  ...[AUTOCOMPLETE_PATH, TEXT_SEARCH_PATH, REVERSE_PATH].map(({ path }) => path),
  ...Object.values(PHOTON_PATHS).map(({ path }) => path),
];

type Sent = ReturnType<typeof parametersOf>;
type Responses = RouteConfig["responses"];
type Described = Pick<PhotonPath, "path" | "summary" | "description">;

export function addGeocodePaths(api: OpenAPIHono, dataset: Dataset): void {
  add(AUTOCOMPLETE_PATH, suggestResponses, async (c, parameters) => {
    const { query } = parseText(AUTOCOMPLETE_PATH, parameters);
    const found = await dataset.suggest(query, { signal: c.req.raw.signal });
    return { frame: JSON_FRAME, values: found.map(shownSuggestion) };
  });
  add(TEXT_SEARCH_PATH, textSearchResponses, async (c, parameters) => {
    const { signal } = c.req.raw;
    const { query, format, properties } = parseText(TEXT_SEARCH_PATH, parameters);
    const records = await recordsOf(dataset, await dataset.suggest(query, { signal }), { signal });
    const shown = { format, properties, hasGeometry: true };
    return {
      frame: format === "geojson" ? GEOJSON_FRAME : JSON_FRAME,
      values: records.map((record: Feature) => shownFeature(record, shown)),
    };
  });
  add(REVERSE_PATH, reverseResponses, async (c, parameters) => {
    const { signal } = c.req.raw;
    return { frame: ALONE, values: [await runReverse(dataset, parseReverse(parameters), { signal })] };
  });
  addPhoton(PHOTON_PATHS.api, async (c, parameters) => {
    return photonFeatures(dataset, parsePhoton.search(parameters), { signal: c.req.raw.signal });
  });
  addPhoton(PHOTON_PATHS.reverse, async (c, parameters) => {
    return photonReverse(dataset, parsePhoton.reverse(parameters), { signal: c.req.raw.signal });
  });

  function add(
    path: ParameterPath & Described,
    responses: Responses,
    find: (c: Context, parameters: Sent) => Promise<{ frame: Frame; values: readonly unknown[] }>,
  ): void {
    register(path, pathParameters(path), responses);
    route(path.path, find);
  }

  function addPhoton(described: PhotonPath, find: (c: Context, parameters: Sent) => Promise<readonly unknown[]>): void {
    register(described, described.schema, photonResponses);
    route(described.path, async (c, parameters) => ({ frame: FEATURES, values: await find(c, parameters) }));
  }

  function register(
    { path, summary, description }: Described,
    query: PhotonPath["schema"],
    responses: Responses,
  ): void {
    const operationId = path.slice(1).replace(/\/(.)/g, (_, letter: string) => letter.toUpperCase());
    const said = { operationId, tags: ["geocode"], summary, description };
    api.openAPIRegistry.registerPath(createRoute({ method: "get", path, ...said, request: { query }, responses }));
  }

  function route(
    path: string,
    find: (c: Context, parameters: Sent) => Promise<{ frame: Frame; values: readonly unknown[] }>,
  ): void {
    api.get(path, async (c) => {
      const { signal } = c.req.raw;
      const parameters = parametersOf(new URL(c.req.url).searchParams);
      return answer(c, await dataset.manifest(signal), async () => {
        const { frame, values } = await find(c, parameters);
        const pieces = bodyOf(
          frame,
          values.map((value) => JSON.stringify(value)),
        );
        return { frame, pieces, fileName: path.slice(1), release: (await dataset.manifest(signal)).release };
      });
    });
  }
}

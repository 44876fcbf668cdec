/**
 * The REST interface: a function from Request to Response. Hosts give it the dataset and its place.
 * @module
 */
import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { Hono } from "hono";
import { cors } from "hono/cors";
import type { Dataset } from "../engine/index.ts";
import { csvFormat } from "./csv.ts";
import { errorResponse } from "./errors.ts";
import { entityTag, matchesTag } from "./etag.ts";
import { failureResponse } from "./failure.ts";
import { type Format, GEOJSON_FORMAT, JSON_FORMAT } from "./formats.ts";
import { nearest } from "./nearest.ts";
import { EXPOSED_HEADERS, pagingHeaders } from "./paging.ts";
import { faultLines, locationFaults, searchParameters } from "./parameters.ts";
import { SEARCH_PATHS, type SearchPath } from "./paths.ts";
import { searchResponses } from "./schemas.ts";
import { searchOf } from "./search-request.ts";
import { streamText } from "./stream.ts";

export interface ApiOptions {
  readonly dataset: Dataset;
  /** Path of the base URL, such as `/maps`; the root when left out. */
  readonly basePath?: string;
  /** Hears of every failure that is not the caller's, with the reference given to the caller. */
  readonly onFailure?: (error: unknown, reference: string) => void;
}

export type Api = (request: Request) => Promise<Response>;

/** The interface of `interface-specification.md` over a dataset. */
export function createApi({ dataset, basePath = "/", onFailure = () => {} }: ApiOptions): Api {
  const api = new OpenAPIHono();
  for (const path of SEARCH_PATHS) addSearchPath(api, path, dataset);

  const known = [...SEARCH_PATHS.map(({ path }) => path), "/", "/openapi.json"];
  api.get("/", (c) => c.json(welcome(new URL(c.req.url))));
  api.get("/openapi.json", (c) => c.json(api.getOpenAPI31Document(documentInfo(new URL(c.req.url)))));
  for (const path of known) {
    api.all(path, (c) =>
      errorResponse(405, [`${c.req.method} is not allowed on ${path}; allowed are GET, HEAD, OPTIONS`], {
        Allow: "GET, HEAD, OPTIONS",
      }),
    );
  }

  const host = new Hono();
  host.use(
    "*",
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD", "OPTIONS"],
      allowHeaders: ["x-api-key", "Content-Type", "If-None-Match"],
      exposeHeaders: EXPOSED_HEADERS,
      maxAge: 86_400,
    }),
  );
  host.route(basePath, api);
  host.notFound((c) =>
    errorResponse(404, [`${c.req.path} is not a path of this service; the nearest is ${nearest(c.req.path, known)}`]),
  );
  host.onError((error, c) => failureResponse(error, c.req.raw, onFailure));
  return async (request) => host.fetch(request);
}

/** Whether a request for this path is the interface's to answer. `basePath` as for `createApi`; the base itself is not. */
export function isApiPath(pathname: string, basePath = "/"): boolean {
  const base = basePath.replace(/\/$/, "");
  if (!pathname.startsWith(`${base}/`)) return false;
  const path = pathname.slice(base.length);
  return path === "/openapi.json" || SEARCH_PATHS.some((known) => path === known.path);
}

function addSearchPath(api: OpenAPIHono, path: SearchPath, dataset: Dataset): void {
  const query = searchParameters(path);
  const route = createRoute({
    method: "get",
    path: path.path,
    summary: path.summary,
    request: { query },
    responses: searchResponses,
  });
  api.openapi(
    route,
    async (c) => {
      const values = c.req.valid("query");
      const url = new URL(c.req.url);
      const tag = await entityTag(await dataset.manifest(c.req.raw.signal), url);
      if (matchesTag(c.req.header("If-None-Match"), tag)) return c.body(null, 304, { ETag: tag });

      const { page, limit, query: search } = searchOf(path, values);
      const result = await dataset.search(search, { signal: c.req.raw.signal });
      const kept = values.includes && new Set(values.includes);
      const format = chooseFormat(values.format, path, kept);
      return new Response(streamText(format.write(result.features(kept))), {
        headers: {
          "Content-Type": format.contentType,
          "Cache-Control": "no-cache",
          ETag: tag,
          ...download(format, path),
          ...pagingHeaders(url, { total: result.total, length: result.length, page, limit }),
        },
      });
    },
    (result, c) => {
      const sent = new Set(Object.keys(c.req.queries()));
      const faults = result.success ? [] : faultLines(result.error, Object.keys(query.shape));
      faults.push(...locationFaults(sent, path));
      return faults.length > 0 ? errorResponse(400, faults) : undefined;
    },
  );
}

function chooseFormat(
  name: "json" | "csv" | "geojson" | undefined,
  path: SearchPath,
  includes?: ReadonlySet<string>,
): Format {
  if (name === "csv") return csvFormat(path.types ?? path.collections, includes);
  return name === "geojson" ? GEOJSON_FORMAT : JSON_FORMAT;
}

function download({ extension }: Format, { path }: SearchPath): Record<string, string> {
  if (extension === undefined) return {};
  return { "Content-Disposition": `attachment; filename="${path.slice(1).replaceAll("/", "-")}.${extension}"` };
}

function welcome(url: URL): object {
  const at = (path: string) => new URL(`.${path}`, url).href;
  return {
    name: "Cairn",
    description: "Search of map data from static files.",
    links: { openapi: at("/openapi.json"), ...Object.fromEntries(SEARCH_PATHS.map(({ path }) => [path, at(path)])) },
  };
}

function documentInfo(url: URL) {
  return {
    openapi: "3.1.0",
    info: { title: "Cairn", version: "1", description: "Place and map-data search over static files." },
    servers: [{ url: new URL(".", url).href }],
  };
}

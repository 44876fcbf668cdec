/**
 * The REST interface: a function from Request to Response. Hosts provide the dataset and the base path.
 * @module
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import { type Context, Hono } from "hono";
import { getPath } from "hono/utils/url";
import type { Manifest } from "../../data/format/manifest.ts";
import { isOwnName } from "../../data/format/own-collections.ts";
import { CHANGES_PATH } from "../changes/index.ts";
import type { Dataset } from "../engine/index.ts";
import { COUNT_PATHS, COUNTS_PATH, nearestOf, ownPathsOf, SEARCH_PATHS } from "../search/index.ts";
import { addChangesPath } from "./changes-routes.ts";
import { addCountPath } from "./count-routes.ts";
import { addCountsPath } from "./counts-routes.ts";
import { withExamplesOf } from "./dataset-examples.ts";
import { CONTACT, KEY_SCHEMES, LICENSE, SECURITY } from "./document-parts.ts";
import { errorResponse, failureResponse } from "./errors.ts";
import { addExportPath, answerExport, EXPORT_PATH } from "./export-routes.ts";
import { addGeocodePaths, GEOCODE_PATHS } from "./geocode-routes.ts";
import { type AddressAsked, type IsKnownKey, makeLinks, openToAllOrigins, requireKey } from "./middleware.ts";
import { asNominatimError } from "./nominatim-operations.ts";
import { OGC_PATH, ogcRoutes } from "./ogc-routes.ts";
import { addOwnPaths, addRecordPath, addSearchPath, ownDocument } from "./search-routes.ts";
import { addTilePath, TILES_PATH } from "./tile-routes.ts";

export { matchesTag } from "./answer.ts";
export { ERRORS, type ErrorStatus } from "./error-codes.ts";
export { BUSY, BusyError, errorContent, errorResponse, failureResponse } from "./errors.ts";
export { type IsKnownKey, openToAllOrigins, requireKey } from "./middleware.ts";
export { OGC_PATH } from "./ogc-routes.ts";
export { MAX_BODY_BYTES } from "./search-routes.ts";

/** Every path, except those of single records. */
const PATHS = [
  ...[...SEARCH_PATHS, ...COUNT_PATHS].map(({ path }) => path),
  ...GEOCODE_PATHS,
  CHANGES_PATH.path,
  COUNTS_PATH,
];

interface ApiOptions {
  readonly dataset: Dataset;
  /** Path of the base URL, encoded as in a URL, such as `/maps` or `/my%20maps/`. Default: the root. */
  readonly basePath?: string;
  /** Returns whether an API key is known. If set, every request needs a known key. Default: keys are ignored. */
  readonly isKnownKey?: IsKnownKey;
  /**
   * Returns the URL that the caller requested, for absolute links; if it returns undefined, links are relative. Default: the URL
   * of the request.
   */
  readonly addressAsked?: AddressAsked;
  /** Called for every failure that the caller did not cause, with the reference that the caller received. */
  readonly onFailure?: (error: unknown, reference: string) => void;
}

/** Answers a request of the REST interface. Never rejects because of an error of the caller or the data. */
export type Api = (request: Request) => Promise<Response>;

/** Creates the REST interface over a dataset (`docs/reference/rest.md`). It answers every request; errors are responses too. */
export function createApi(options: ApiOptions): Api {
  const { dataset, basePath = "/", isKnownKey, onFailure = () => {} } = options;
  const { addressAsked = ({ url }) => url } = options;
  const { api, refuse } = createRoutes(dataset);
  const base = routedPath(basePath).replace(/(?<=.)\/$/, "");
  // not strict: a path with a trailing slash is the same path
  const host = new Hono({ strict: false });
  host.use("*", openToAllOrigins());
  host.use("*", makeLinks(addressAsked, base));
  host.use(`${base.replace(/\/$/, "")}/nominatim/*`, asNominatimError);
  if (isKnownKey) host.use("*", requireKey(isKnownKey));
  host.route(base, api);
  host.notFound((c) => refuse(c, []));
  host.onError((error, c) => failureResponse(error, c.req.raw, onFailure));
  return async (request) => host.fetch(request);
}

interface Routes {
  readonly api: OpenAPIHono;
  /** The paths of the GET routes. */
  readonly paths: readonly string[];
  /** Answers with 404 for a path that does not exist. `own` are the paths of the dataset's collections with their own schema. */
  readonly refuse: (c: Context, own: readonly string[]) => Response;
  /** Returns the OpenAPI document for this base URL, with examples of the sample dataset. Reads no dataset. */
  readonly documentAt: (base: string) => Document;
}

type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

/** Returns all routes, relative to the base URL. The caller must add the middleware of `makeLinks` before them. */
export function createRoutes(dataset: Dataset): Routes {
  const api = new OpenAPIHono();
  const documentAt = (base: string) => api.getOpenAPI31Document(documentInfo(base));
  // fixed names come before ids
  for (const path of COUNT_PATHS) addCountPath(api, path, dataset);
  for (const path of SEARCH_PATHS) addSearchPath(api, path, dataset);
  for (const path of SEARCH_PATHS) addRecordPath(api, path, dataset);
  for (const path of SEARCH_PATHS) addExportPath(api, path, dataset);
  addGeocodePaths(api, dataset);
  addChangesPath(api, dataset);
  addCountsPath(api, dataset);
  addTilePath(api, dataset);
  for (const [name, scheme] of Object.entries(KEY_SCHEMES))
    api.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
  api.get("/", async (c) => {
    const own = ownPathsOf(await dataset.manifest(c.req.raw.signal));
    return c.json(welcome(c.var.linkTo, [...PATHS, ...own.map(({ path }) => path)]));
  });
  api.get("/openapi.json", async (c) => {
    const manifest = await dataset.manifest(c.req.raw.signal);
    return c.json(withExamplesOf(withOwnPaths(documentAt(c.var.linkTo(".")), manifest), manifest));
  });
  // the reference is a page in the folder docs/, which not every host has
  api.get("/docs", (c) => {
    if (!new URL(c.req.url).pathname.endsWith("/")) return c.redirect(c.var.linkTo("./docs/"));
    return errorResponse(404, [`this host has no page at ${c.req.path}/; the OpenAPI document is at /openapi.json`]);
  });
  api.route(OGC_PATH, ogcRoutes(dataset));
  const methods = new Map<string, string[]>();
  for (const { method, path } of api.routes) {
    if (method === "GET") methods.set(path, ["GET", "HEAD", "OPTIONS"]);
    else if (method === "POST" && methods.get(path)?.includes(method) === false) methods.get(path)?.push(method);
  }
  for (const [path, allowed] of methods) {
    const text = allowed.join(", ");
    api.all(path, (c) =>
      errorResponse(405, [`${c.req.method} is not allowed on ${c.req.path}; allowed are ${text}`], { Allow: text }),
    );
  }
  const paths = [...methods.keys()];
  const named = paths.filter((path) => !path.includes(":"));
  const refuse: Routes["refuse"] = ({ req: { path } }, own) =>
    errorResponse(404, [`${path} is not a path of this service; ${nearestOf(path, [...named, ...own])}`]);
  addOwnPaths(api, dataset, { refuse, answerExport });
  return { api, paths, refuse, documentAt };
}

/** Returns the document with the paths of the dataset's own collections. */
function withOwnPaths(document: Document, manifest: Manifest): Document {
  const { openapi, info, paths, components } = document;
  const own = ownPathsOf(manifest).map((path) => ownDocument(path).getOpenAPI31Document({ openapi, info }));
  if (own.length === 0) return document;
  const schemas = [components?.schemas, ...own.map((each) => each.components?.schemas)];
  return {
    ...document,
    paths: Object.assign({}, paths, ...own.map((each) => each.paths)),
    components: { ...components, schemas: Object.assign({}, ...schemas) },
  };
}

/**
 * Returns whether the interface answers requests for this path. `basePath` is that of `createApi`. False for the base itself, and
 * for collections with their own schema, for which see `mayBeOwnPath`.
 */
export function isApiPath(pathname: string, basePath = "/"): boolean {
  const base = basePath.replace(/\/$/, "");
  if (!pathname.startsWith(`${base}/`)) return false;
  if (pathname === `${base}/docs/`) return false;
  const path = pathname.slice(base.length).replace(/\/$/, "");
  if (path === "/openapi.json" || path === "/docs" || GEOCODE_PATHS.includes(path)) return true;
  if (path === CHANGES_PATH.path || path === COUNTS_PATH) return true;
  if (path.startsWith(`${TILES_PATH}/`) || path.startsWith(`${EXPORT_PATH}/`)) return true;
  if (path === OGC_PATH || path.startsWith(`${OGC_PATH}/`)) return true;
  return SEARCH_PATHS.some((known) => path === known.path || path.startsWith(`${known.path}/`));
}

/**
 * Returns whether the path may be of a collection with its own schema, or of one of its records. Whether it is one, the manifest
 * says.
 */
export function mayBeOwnPath(pathname: string, basePath = "/"): boolean {
  const base = basePath.replace(/\/$/, "");
  if (!pathname.startsWith(`${base}/`)) return false;
  const [name = "", ...others] = pathname
    .slice(base.length + 1)
    .replace(/\/$/, "")
    .split("/");
  return isOwnName(name) && others.length <= 1;
}

/** Returns the path in the form that the router sees, with decoded names of folders. */
function routedPath(path: string): string {
  return getPath(new Request(new URL(path, "http://cairn.invalid")));
}

function welcome(linkTo: (reference: string) => string, paths: readonly string[]): object {
  const at = (path: string) => linkTo(`.${path}`);
  return {
    name: "Cairn",
    description: "Search of map data from static files.",
    links: {
      openapi: at("/openapi.json"),
      docs: at("/docs"),
      ...Object.fromEntries(paths.map((path) => [path, at(path)])),
    },
  };
}

function documentInfo(base: string) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Cairn",
      version: "1",
      description: "Place and map-data search over static files. Records are GeoJSON features with Overture's columns.",
      contact: CONTACT,
      license: LICENSE,
    },
    tags: [
      { name: "search", description: "Lists of records, by a circle or by country." },
      { name: "record", description: "One record by its id." },
      { name: "geocode", description: "Places by text, and records at a point." },
      { name: "changes", description: "Differences between two releases." },
      { name: "map", description: "Vector tiles." },
      { name: "count", description: "Records counted by a common value or by area." },
    ],
    servers: [{ url: base.replace(/\/$/, "") }],
    security: SECURITY,
  };
}

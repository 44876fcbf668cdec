/**
 * Routes of the search paths and of single records: parse, run, write.
 * @module
 */
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type Area, AreaTooLargeError, parseArea } from "../../data/format/area.ts";
import { isOwnName } from "../../data/format/own-collections.ts";
import type { Dataset } from "../engine/index.ts";
import {
  bodyOf,
  findRecord,
  type OwnPath,
  operationIdOf,
  ownPathsOf,
  ParameterError,
  parametersOf,
  parseSearch,
  parseShown,
  pathParameters,
  RECORD_PATH,
  runSearch,
  type SEARCH_PATHS,
  type SearchPath,
  type Shown,
  TooLargeError,
  writerOf,
} from "../search/index.ts";
import { answer, fileNameOf } from "./answer.ts";
import { errorResponse } from "./errors.ts";
import { OGC_PATH } from "./ogc-routes.ts";
import {
  AREA_TYPE,
  areaBody,
  bodyFailures,
  collectionOf,
  documented,
  ownRecord,
  recordResponses,
  recordResponsesOf,
  searchResponses,
  searchResponsesOf,
} from "./schemas.ts";

/** Maximum size of a body. The outline of a country with all its islands has a few megabytes. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => errorResponse(413, [`the body must be at most ${MAX_BODY_BYTES} bytes`]),
});

type NamedPath = (typeof SEARCH_PATHS)[number];

const SUMMARIES: Readonly<Record<NamedPath["path"], string>> = {
  "/places": "Places: shops, sights, services.",
  "/places/buildings": "Places with the building that contains them, otherwise the nearest within 25 m.",
  "/buildings": "Buildings and their parts.",
  "/addresses": "Addresses.",
  "/base": "Land, water, land use and infrastructure.",
  "/transportation": "Roads, railways, ferries and the connectors between them.",
  "/divisions": "Countries, regions, towns and their boundaries.",
};

/** Adds a search path: `GET`, and `POST` with an area. */
export function addSearchPath(api: OpenAPIHono, path: NamedPath, dataset: Dataset): void {
  const { path: name } = path;
  const places = ["country", "within", ...(path.locationOr ?? [])].map((other) => `\`${other}\``).join(" or ");
  describeSearch(api, path, {
    summary: SUMMARIES[name],
    description: `Needs \`lat\` and \`lng\`, or ${places}.`,
    responses: searchResponses,
  });
  api.get(name, (c) => answerSearch(c, path, dataset));
  api.post(name, limitBody, (c) => answerPost(c, path, dataset));
}

interface Described {
  readonly summary: string;
  readonly description: string;
  readonly responses: typeof searchResponses;
}

/** Adds a search path to the document. */
function describeSearch(api: OpenAPIHono, path: SearchPath, { summary, description, responses }: Described): void {
  const { path: name } = path;
  const shared = { path: name, tags: ["search"] };
  const query = documented(pathParameters(path));
  api.openAPIRegistry.registerPath(
    createRoute({
      ...shared,
      method: "get",
      operationId: operationIdOf("search", name),
      summary,
      description,
      request: { query },
      responses,
    }),
  );
  api.openAPIRegistry.registerPath(
    createRoute({
      ...shared,
      method: "post",
      operationId: operationIdOf("searchIn", name),
      summary: `${summary} In an area.`,
      description: "Records that meet the area in the body, nearest to its representative point first.",
      request: { query, body: areaBody },
      responses: { ...responses, ...bodyFailures },
    }),
  );
}

const ownDocuments = new WeakMap<OwnPath, OpenAPIHono>();

/**
 * Returns an interface that describes the path of a collection with its own schema, and the path of its records, for the OpenAPI
 * document.
 */
export function ownDocument(path: OwnPath): OpenAPIHono {
  const known = ownDocuments.get(path);
  if (known) return known;
  const api = new OpenAPIHono();
  const record = ownRecord(path);
  describeSearch(api, path, {
    summary: `Records of the collection ${path.path.slice(1)}.`,
    description: "Without a place or a condition all records are listed by id.",
    responses: searchResponsesOf(record, collectionOf(record)),
  });
  describeRecord(api, path, {
    // not that of a fixed operation such as `getTile`
    operationId: operationIdOf("get", `${path.path}/record`),
    description: "The record itself, not a list. Ids are compared exactly.",
    responses: recordResponsesOf(record),
  });
  ownDocuments.set(path, api);
  return api;
}

interface OwnAnswers {
  /** Answers with 404 for a path that no collection has. */
  readonly refuse: (c: Context, own: readonly string[]) => Response;
  /** Answers with all records of a search. */
  readonly answerExport: (c: Context, path: SearchPath, dataset: Dataset) => Promise<Response>;
}

/**
 * Adds the paths of collections with their own schema, which are looked up in the manifest at each request. Add all other paths
 * before.
 */
export function addOwnPaths(api: OpenAPIHono, dataset: Dataset, { refuse, answerExport }: OwnAnswers): void {
  const onOwn =
    (answerOf: (c: Context, path: SearchPath) => Promise<Response>) =>
    async (c: Context): Promise<Response> => {
      const named = `/${c.req.param("collection")}`;
      // without a dataset there is no collection
      const own = isOwnName(named.slice(1)) ? ownPathsOf(await dataset.manifest(c.req.raw.signal)) : [];
      const path = own.find((known) => known.path === named);
      if (path) return answerOf(c, path);
      return refuse(
        c,
        own.map((known) => known.path),
      );
    };
  api.get(
    "/:collection",
    onOwn((c, path) => answerSearch(c, path, dataset)),
  );
  api.post(
    "/:collection",
    limitBody,
    onOwn((c, path) => answerPost(c, path, dataset)),
  );
  api.get(
    "/export/:collection",
    onOwn((c, path) => answerExport(c, path, dataset)),
  );
  api.get(
    "/:collection/:id",
    onOwn((c, path) => answerRecord(c, path, dataset)),
  );
}

async function answerSearch(c: Context, path: SearchPath, dataset: Dataset, area?: Area): Promise<Response> {
  const { path: name } = path;
  const search = parseSearch(path, parametersOf(new URL(c.req.url).searchParams), area);
  const { signal } = c.req.raw;
  return answer({ c, dataset, release: search.release }, async ({ dataset: pinned, manifest }) => {
    const result = await runSearch(pinned, search, { signal });
    const writer = await writerOf(path, search.shown, manifest);
    const { total, length } = result;
    return {
      frame: writer,
      pieces: bodyOf(writer, writer.page(result)),
      fileName: fileNameOf(name),
      paging: { total, length, page: search.page, limit: search.limit },
      licenses: licensesOf(search.shown, name),
    };
  });
}

function answerPost(c: Context, path: SearchPath, dataset: Dataset): Promise<Response> {
  return answerBody(c, (area) => answerSearch(c, path, dataset, area));
}

/**
 * Parses the area in the body and answers with `answerIn`. Answers 405 without `Content-Type`, and 415 for another type. Throws
 * `ParameterError` for a body that is no area, and `TooLargeError` for an area that is too large.
 */
export async function answerBody(c: Context, answerIn: (area: Area) => Promise<Response>): Promise<Response> {
  const header = c.req.header("Content-Type");
  if (header === undefined) {
    const message = `POST on ${c.req.path} needs a body of ${AREA_TYPE}; without one use GET`;
    return errorResponse(405, [message], { Allow: "GET, HEAD, OPTIONS, POST" });
  }
  const [type = ""] = header.split(";");
  if (type.trim().toLowerCase() === AREA_TYPE) return answerIn(await areaOf(c));
  const message = `the body must be ${AREA_TYPE}, a GeoJSON Polygon or MultiPolygon, got ${JSON.stringify(header)}`;
  return errorResponse(415, [message], { "Accept-Post": AREA_TYPE });
}

const params = z.object({ id: z.string().openapi({ param: { name: "id", in: "path" }, example: "a record's id" }) });

/** Adds the path of single records below a search path, such as `/places/{id}`. */
export function addRecordPath(api: OpenAPIHono, path: SearchPath, dataset: Dataset): void {
  describeRecord(api, path, {
    operationId: operationIdOf("get", path.path),
    description: "The record itself, not a list. Ids are Overture's, and are compared exactly.",
    responses: recordResponses,
  });
  api.get(`${path.path}/:id`, (c) => answerRecord(c, path, dataset));
}

interface DescribedRecord {
  readonly operationId: string;
  readonly description: string;
  readonly responses: typeof recordResponses;
}

/** Adds the path of one record to the document. */
function describeRecord(
  api: OpenAPIHono,
  { path }: SearchPath,
  { operationId, description, responses }: DescribedRecord,
): void {
  api.openAPIRegistry.registerPath(
    createRoute({
      method: "get",
      path: `${path}/{id}`,
      operationId,
      tags: ["record"],
      summary: `One record of ${path} by its id.`,
      description,
      request: { query: documented(pathParameters(RECORD_PATH)), params },
      responses,
    }),
  );
}

async function answerRecord(c: Context, path: SearchPath, dataset: Dataset): Promise<Response> {
  const shown = parseShown(parametersOf(new URL(c.req.url).searchParams));
  const id = c.req.param("id") ?? "";
  const { signal } = c.req.raw;
  return answer({ c, dataset }, async ({ dataset: pinned, manifest }) => {
    const feature = await findRecord(pinned, path, id, { signal });
    if (!feature) return errorResponse(404, [`${JSON.stringify(id)} is not the id of a record of ${path.path}`]);
    const writer = await writerOf(path, shown, manifest);
    return {
      frame: writer,
      pieces: writer.alone(feature),
      fileName: fileNameOf(path.path),
      licenses: licensesOf(shown, `${path.path}/id`),
    };
  });
}

/**
 * Returns the reference from `path` to the list of collections, which names the licences, for formats that cannot contain them:
 * GeoJSON lines and spreadsheets. Undefined for all other formats.
 */
export function licensesOf({ format }: Shown, path: string): string | undefined {
  if (format !== "geojsonl" && format !== "spreadsheet") return undefined;
  return `${"../".repeat(path.split("/").length - 2) || "./"}${OGC_PATH.slice(1)}/collections`;
}

async function areaOf(c: Context): Promise<Area> {
  try {
    return parseArea(await c.req.json());
  } catch (error) {
    if (error instanceof AreaTooLargeError) throw new TooLargeError([`the body is too large: ${error.message}`]);
    throw new ParameterError([`the body must be a GeoJSON Polygon or MultiPolygon: ${(error as Error).message}`]);
  }
}

/**
 * Routes of the search paths and of single records: parse, run, write.
 * @module
 */
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type Area, AreaTooLargeError, parseArea } from "../../data/format/area.ts";
import { isOwnName } from "../../data/format/own-collections.ts";
import type { Dataset } from "../engine/index.ts";
import {
  bodyOf,
  findRecord,
  operationIdOf,
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
  searchPathsOf,
  TooLargeError,
  writerOf,
} from "../search/index.ts";
import { answer, fileNameOf } from "./answer.ts";
import { errorResponse } from "./errors.ts";
import { OGC_PATH } from "./ogc-routes.ts";
import { AREA_TYPE, areaBody, bodyFailures, documented, recordResponses, searchResponses } from "./schemas.ts";

/** The outline of a country with all its islands has a few megabytes. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

const limitBody = bodyLimit({
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
  const summary = SUMMARIES[name];
  const places = ["country", "within", ...(path.locationOr ?? [])].map((other) => `\`${other}\``).join(" or ");
  const shared = { path: name, tags: ["search"], responses: searchResponses };
  const query = documented(pathParameters(path));
  api.openAPIRegistry.registerPath(
    createRoute({
      ...shared,
      method: "get",
      operationId: operationIdOf("search", name),
      summary,
      description: `Needs \`lat\` and \`lng\`, or ${places}.`,
      request: { query },
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
      responses: { ...searchResponses, ...bodyFailures },
    }),
  );
  api.get(name, (c) => answerSearch(c, path, dataset));
  api.post(name, limitBody, (c) => answerPost(c, path, dataset));
}

/** Adds the paths of collections with their own schema, which the manifest names. Any other path must have been added before. */
export function addOwnPaths(api: OpenAPIHono, dataset: Dataset): void {
  const onOwn =
    (answerOf: (c: Context, path: SearchPath) => Promise<Response>) =>
    async (c: Context): Promise<Response> => {
      const named = `/${c.req.param("collection")}`;
      // without a dataset there is no collection
      const manifest = isOwnName(named.slice(1)) ? await dataset.manifest(c.req.raw.signal) : undefined;
      const path = manifest && searchPathsOf(manifest).find(({ own, path: known }) => own && known === named);
      return path ? answerOf(c, path) : (c.notFound() as Response);
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

async function answerPost(c: Context, path: SearchPath, dataset: Dataset): Promise<Response> {
  const header = c.req.header("Content-Type");
  if (header === undefined) {
    const message = `POST on ${c.req.path} needs a body of ${AREA_TYPE}; without one use GET`;
    return errorResponse(405, [message], { Allow: "GET, HEAD, OPTIONS, POST" });
  }
  const [type = ""] = header.split(";");
  if (type.trim().toLowerCase() === AREA_TYPE) return answerSearch(c, path, dataset, await areaOf(c));
  const message = `the body must be ${AREA_TYPE}, a GeoJSON Polygon or MultiPolygon, got ${JSON.stringify(header)}`;
  return errorResponse(415, [message], { "Accept-Post": AREA_TYPE });
}

const params = z.object({ id: z.string().openapi({ param: { name: "id", in: "path" }, example: "a record's id" }) });

/** Adds the path of one record below a search path. */
export function addRecordPath(api: OpenAPIHono, path: SearchPath, dataset: Dataset): void {
  api.openAPIRegistry.registerPath(
    createRoute({
      method: "get",
      path: `${path.path}/{id}`,
      operationId: operationIdOf("get", path.path),
      tags: ["record"],
      summary: `One record of ${path.path} by its id.`,
      description: "The record itself, not a list. Ids are Overture's, and are compared exactly.",
      request: { query: documented(pathParameters(RECORD_PATH)), params },
      responses: recordResponses,
    }),
  );
  api.get(`${path.path}/:id`, (c) => answerRecord(c, path, dataset));
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

/** Our own formats follow the interface; some others have no place for licences. */
function licensesOf({ format }: Shown, path: string): string | undefined {
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

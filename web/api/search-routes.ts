/**
 * Routes of the search paths, and of their single records.
 * @module
 */
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Dataset } from "../engine/index.ts";
import type { Feature, SearchReport, SearchResult } from "../engine/query.ts";
import { type ApiEnv, answer, fileNameOf } from "./answer.ts";
import { type CsvFormat, csvFormat } from "./csv.ts";
import { errorResponse } from "./errors.ts";
import { type Format, GEOJSON_FORMAT, JSON_FORMAT, SINGLE_FORMATS } from "./formats.ts";
import { faultsOf, locationFaults, pathParameters, type SearchValues, sentNames } from "./parameters.ts";
import { operationIdOf, RECORD_PARAMETERS, type SearchPath } from "./paths.ts";
import { recordResponses, searchResponses } from "./schemas.ts";
import { searchOf } from "./search-request.ts";

/** Hears how the search of a request was answered. */
export type OnSearch = (report: SearchReport, request: Request) => void;

/** Adds a search path. */
export function addSearchPath(api: OpenAPIHono<ApiEnv>, path: SearchPath, dataset: Dataset, onSearch?: OnSearch): void {
  const query = pathParameters(path);
  const { path: name, summary } = path;
  api.openapi(
    createRoute({
      method: "get",
      path: name,
      operationId: operationIdOf("search", name),
      tags: ["search"],
      summary,
      description: `Needs \`lat\` and \`lng\`, or ${["country", ...(path.locationOr ?? [])].map((other) => `\`${other}\``).join(" or ")}.`,
      request: { query },
      responses: searchResponses,
    }),
    async (c) => {
      const values: SearchValues = c.req.valid("query");
      const { signal } = c.req.raw;
      return answer<unknown>(c, await dataset.manifest(signal), async () => {
        const { page, limit, query: search } = searchOf(path, values);
        const result = await dataset.search(search, { signal });
        const { total, length, report } = result;
        onSearch?.(report, c.env.request);
        return {
          ...written(path, values, result),
          fileName: fileNameOf(name),
          paging: { total, length, page, limit },
          release: report.release,
        };
      });
    },
    (result, c) => {
      const sent = sentNames(c.req.url);
      const faults = [...faultsOf(result, { sent, known: Object.keys(query.shape) }), ...locationFaults(sent, path)];
      return faults.length > 0 ? errorResponse(400, faults) : undefined;
    },
  );
}

/** Adds the path of one record below a search path. */
export function addRecordPath(api: OpenAPIHono<ApiEnv>, path: SearchPath, dataset: Dataset): void {
  const query = pathParameters({ parameters: RECORD_PARAMETERS });
  const params = z.object({ id: z.string().openapi({ param: { name: "id", in: "path" }, example: "a record's id" }) });
  api.openapi(
    createRoute({
      method: "get",
      path: `${path.path}/{id}`,
      operationId: operationIdOf("get", path.path),
      tags: ["record"],
      summary: `One record of ${path.path} by its id.`,
      description: "The record alone, not in a list. Ids are Overture's, and are compared as they are.",
      request: { query, params },
      responses: recordResponses,
    }),
    async (c) => {
      const values: SearchValues = c.req.valid("query");
      const { id } = c.req.valid("param");
      const { signal } = c.req.raw;
      const manifest = await dataset.manifest(signal);
      const feature = await dataset.find(path.types ?? path.collections, id, { signal });
      if (!feature) return errorResponse(404, [`${JSON.stringify(id)} is not the id of a record of ${path.path}`]);
      return answer<unknown>(c, manifest, async () => ({
        ...writtenAlone(path, values, feature),
        fileName: fileNameOf(path.path),
        release: (await dataset.manifest(signal)).release,
      }));
    },
    (result, c) => {
      const faults = faultsOf(result, { sent: sentNames(c.req.url), known: Object.keys(query.shape) });
      return faults.length > 0 ? errorResponse(400, faults) : undefined;
    },
  );
}

function withProperties(feature: Feature, kept: ReadonlySet<string>): Feature {
  return {
    ...feature,
    properties: Object.fromEntries(
      Object.entries(feature.properties).filter(([name]) => name === "id" || kept.has(name)),
    ),
  };
}

interface Written {
  readonly format: Format;
  readonly records: Iterable<unknown>;
}

/** What a search found, in the format asked for. */
function written(path: SearchPath, values: SearchValues, result: SearchResult): Written {
  const { format, includes, include_geometry: hasGeometry = true } = values;
  if (format === "csv") {
    const csv = csvOf(path, values);
    return { format: csv as Format, records: result.features(csv.properties) };
  }
  return {
    format: format === "geojson" ? GEOJSON_FORMAT : JSON_FORMAT,
    records: result.json({ properties: includes && new Set(includes), hasGeometry }),
  };
}

/** One feature in the format asked for. */
function writtenAlone(path: SearchPath, values: SearchValues, feature: Feature): Written {
  const { format, includes, include_geometry: hasGeometry = true } = values;
  if (format === "csv") return { format: csvOf(path, values) as Format, records: [feature] };
  const kept = includes ? withProperties(feature, new Set(includes)) : feature;
  const record = hasGeometry ? kept : { ...kept, geometry: null };
  return { format: format === "geojson" ? SINGLE_FORMATS.geojson : SINGLE_FORMATS.json, records: [record] };
}

function csvOf(
  { types, collections }: SearchPath,
  { includes, include_geometry: hasGeometry = true }: SearchValues,
): CsvFormat {
  return csvFormat({ collections: types ?? collections, includes: includes && new Set(includes), hasGeometry });
}

/**
 * Routes of the paths that count places: brands, categories, countries.
 * @module
 */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dataset } from "../engine/index.ts";
import type { Group, Grouping, Json } from "../engine/query.ts";
import { type ApiEnv, answer, fileNameOf } from "./answer.ts";
import { flatCsvFormat } from "./csv.ts";
import { errorResponse } from "./errors.ts";
import { type Format, JSON_FORMAT } from "./formats.ts";
import { faultsOf, locationFaults, pathParameters, type SearchValues, sentNames } from "./parameters.ts";
import { type CountPath, operationIdOf } from "./paths.ts";
import { countResponses } from "./schemas.ts";
import { searchOf } from "./search-request.ts";

type Counted = Readonly<Record<string, Json>>;

/** How each kind of group is written, and its flat columns. */
const SHAPES: Readonly<Record<Grouping, { record(group: Group): Counted; columns: readonly string[] }>> = {
  brand: {
    record: ({ value, rows }) => ({ ...(value as Counted), counts: { places: rows } }),
    columns: ["names.primary", "wikidata", "counts.places"],
  },
  category: {
    record: ({ value, rows, brands }) => ({ primary: value, counts: { places: rows, brands } }),
    columns: ["primary", "counts.places", "counts.brands"],
  },
  country: {
    record: ({ value, rows, brands }) => ({ country: value, counts: { places: rows, brands } }),
    columns: ["country", "counts.places", "counts.brands"],
  },
};

/** Adds a path that counts places. */
export function addCountPath(api: OpenAPIHono<ApiEnv>, path: CountPath, dataset: Dataset): void {
  const query = pathParameters(path);
  const { record, columns } = SHAPES[path.by];
  api.openapi(
    createRoute({
      method: "get",
      path: path.path,
      operationId: operationIdOf("count", path.path),
      tags: ["count"],
      summary: path.summary,
      description: "All parameters that filter places are taken. Without a location all places are counted.",
      request: { query },
      responses: countResponses(path.by),
    }),
    async (c) => {
      const values: SearchValues = c.req.valid("query");
      const { signal } = c.req.raw;
      return answer(c, await dataset.manifest(signal), async () => {
        const { page, limit, query: search } = searchOf({ collections: ["place"] }, values);
        const { total, groups } = await dataset.group(search, path.by, { signal });
        const records = groups.map(record);
        const format: Format<Counted> = values.format === "csv" ? flatCsvFormat(columns) : JSON_FORMAT;
        return {
          format,
          records,
          fileName: fileNameOf(path.path),
          paging: { total, length: records.length, page, limit },
          release: (await dataset.manifest(signal)).release,
        };
      });
    },
    (result, c) => {
      const sent = sentNames(c.req.url);
      const faults = [
        ...faultsOf(result, { sent, known: Object.keys(query.shape) }),
        ...locationFaults(sent, { locationOr: "nothing" }),
      ];
      return faults.length > 0 ? errorResponse(400, faults) : undefined;
    },
  );
}

/** The route of exact counts: `GET /counts`, and `POST /counts` with an area. @module */
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Area } from "../../data/format/area.ts";
import type { Dataset } from "../engine/index.ts";
import {
  bodyOf,
  COUNTS_PATH,
  type CountedRow,
  type Counting,
  countsParameters,
  csvLine,
  type Frame,
  GEOJSON_FRAME,
  parametersOf,
  parseCounting,
  runCounts,
} from "../search/index.ts";
import { answer, fileNameOf } from "./answer.ts";
import { areaBody, bodyFailures, documented, failures, geometry, pageFailures, pagingHeaders } from "./schemas.ts";
import { answerBody, limitBody } from "./search-routes.ts";

const rows = z.int().nonnegative();
const counts = z
  .object({
    total: rows.openapi({ description: "Matching records, each once." }),
    group: z.string().optional(),
    groups: z
      .array(
        z.object({
          key: z.string().openapi({ description: "A geohash, a value, a country, or the id of a division." }),
          name: z.string().optional().openapi({ description: "Of a division." }),
          count: rows,
        }),
      )
      .optional(),
  })
  .openapi("Counts");
const cells = z
  .object({
    type: z.literal("FeatureCollection"),
    features: z.array(
      z.object({
        type: z.literal("Feature"),
        id: z.string(),
        geometry,
        properties: z.object({ key: z.string(), name: z.string().optional(), count: rows }),
      }),
    ),
  })
  .openapi("CountedAreas");

const responses = {
  200: {
    description:
      "The counts: largest group first, then by key; cells by key. `Pagination-Count` is the number of groups over all pages.",
    headers: pagingHeaders,
    content: {
      "application/json": { schema: counts },
      "application/geo+json": { schema: cells },
      "text/csv": { schema: z.string() },
    },
  },
  ...failures,
  ...pageFailures,
};

const SUMMARY = "Exact counts of records, by cells, categories, other values, countries or divisions.";
const DESCRIPTION =
  "Counts what a search with the same parameters finds, without reading the records. Accepts the parameters of the path that `what` names. Without a location all records are counted. A record belongs to the cell of its representative point. A record with several values counts for each. What takes too many bytes is a 400 that says what is allowed.";

/** Adds `GET /counts` and `POST /counts` to the interface. */
export function addCountsPath(api: OpenAPIHono, dataset: Dataset): void {
  const query = documented(countsParameters());
  const shared = { path: COUNTS_PATH, tags: ["count"], description: DESCRIPTION };
  api.openAPIRegistry.registerPath(
    createRoute({ ...shared, method: "get", operationId: "counts", summary: SUMMARY, request: { query }, responses }),
  );
  api.openAPIRegistry.registerPath(
    createRoute({
      ...shared,
      method: "post",
      operationId: "countsIn",
      summary: `${SUMMARY} In an area.`,
      request: { query, body: areaBody },
      responses: { ...responses, ...bodyFailures },
    }),
  );
  api.get(COUNTS_PATH, (c) => answerCounts(c, dataset));
  api.post(COUNTS_PATH, limitBody, (c) => answerBody(c, (area) => answerCounts(c, dataset, area)));
}

async function answerCounts(c: Context, dataset: Dataset, area?: Area): Promise<Response> {
  const { signal } = c.req.raw;
  const parameters = parametersOf(new URL(c.req.url).searchParams);
  const asked = parseCounting(await dataset.manifest(signal), parameters, area);
  return answer({ c, dataset, release: asked.search.release }, async ({ dataset: pinned }) => {
    const found = await runCounts(pinned, asked, { signal });
    const { page, limit } = asked.search;
    const frame = frameOf(asked, found.total);
    return {
      frame,
      pieces: bodyOf(frame, found.rows.map(writerOf(asked))),
      fileName: fileNameOf(COUNTS_PATH),
      paging: { total: found.groups, length: found.rows.length, page, limit },
    };
  });
}

function frameOf({ format, groupName }: Counting, total: number): Frame {
  if (format === "geojson") return GEOJSON_FRAME;
  if (format === "csv") {
    const open = groupName === undefined ? csvLine(["count"]) + csvLine([String(total)]) : csvLine(headOf(groupName));
    return { contentType: "text/csv; charset=utf-8", extension: "csv", open, separator: "", close: "" };
  }
  const head = { total, ...(groupName === undefined ? {} : { group: groupName }) };
  const [start] = JSON.stringify(head).split(/}$/);
  return {
    contentType: "application/json; charset=utf-8",
    open: groupName === undefined ? `${start}` : `${start},"groups":[`,
    separator: ",\n",
    close: groupName === undefined ? "}\n" : "]}\n",
  };
}

function headOf(groupName: string): string[] {
  return groupName === "division" ? ["division", "name", "count"] : [groupName, "count"];
}

function writerOf({ format, groupName }: Counting): (row: CountedRow) => string {
  return ({ key, name, rows: count, outline }) => {
    const countedRow = { key, ...(name === undefined ? {} : { name }), count };
    if (format === "geojson") {
      return JSON.stringify({ type: "Feature", id: key, geometry: outline ?? null, properties: countedRow });
    }
    if (format === "json") return JSON.stringify(countedRow);
    return csvLine(groupName === "division" ? [key, name ?? "", String(count)] : [key, String(count)]);
  };
}

/**
 * The route of changes since an older release.
 * @module
 */
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { CHANGES_PATH, parseChanges, runChanges } from "../changes/index.ts";
import type { Dataset } from "../engine/index.ts";
import { bodyOf, GEOJSON_FRAME, JSON_FRAME, parametersOf, pathParameters } from "../search/index.ts";
import { answer, fileNameOf } from "./answer.ts";
import { documented, failures, geometry, pageFailures, pagingHeaders } from "./schemas.ts";

const changed = z
  .object({
    id: z.string(),
    type: z.literal("Feature"),
    geometry,
    properties: z.object({
      id: z.string(),
      collection: z.string(),
      change: z.enum(["added", "removed", "changed"]),
      columns: z.array(z.string()).openapi({ description: "Names of the columns that differ, if changed." }),
      country: z.string().nullable(),
      name: z.string().nullable(),
    }),
  })
  .openapi("Change", { description: "The newer record; if removed, the older one." });

const responses = {
  200: {
    description: "The changes: by type, then by id.",
    headers: pagingHeaders,
    content: {
      "application/json": { schema: z.array(changed) },
      "application/geo+json": {
        schema: z.object({ type: z.literal("FeatureCollection"), features: z.array(changed) }).openapi("Changes"),
      },
    },
  },
  ...failures,
  ...pageFailures,
};

/** Adds `GET /changes` to the interface. */
export function addChangesPath(api: OpenAPIHono, dataset: Dataset): void {
  const { path, summary, description } = CHANGES_PATH;
  const said = { operationId: "changes", tags: ["changes"], summary, description };
  const request = { query: documented(pathParameters(CHANGES_PATH), CHANGES_PATH.required) };
  api.openAPIRegistry.registerPath(createRoute({ method: "get", path, ...said, request, responses }));
  api.get(path, async (c) => {
    const asked = parseChanges(parametersOf(new URL(c.req.url).searchParams));
    const { signal } = c.req.raw;
    return answer({ c, dataset, release: asked.search.release }, async ({ dataset }) => {
      const { page, limit, shown } = asked.search;
      const { total, changes } = await runChanges(dataset, asked, { signal });
      const frame = shown.format === "geojson" ? GEOJSON_FRAME : JSON_FRAME;
      return {
        frame,
        pieces: bodyOf(
          frame,
          changes.map((change) => JSON.stringify(change)),
        ),
        fileName: fileNameOf(path),
        paging: { total, length: changes.length, page, limit },
      };
    });
  });
}

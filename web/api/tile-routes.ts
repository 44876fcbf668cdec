/**
 * The route of vector tiles.
 * @module
 */
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { TileId } from "../../data/format/tile-id.ts";
import type { Dataset } from "../engine/index.ts";
import { ParameterError, parametersOf, pathParameters } from "../search/index.ts";
import { EXACT_ZOOM, layersOf, MAX_ZOOM, parseTile, readTile, tileNames } from "../tiles/index.ts";
import { unlessHeld } from "./answer.ts";
import { errorResponse } from "./errors.ts";
import { documented, tileResponses } from "./schemas.ts";

export const TILES_PATH = "/tiles";
const TILE_ROUTE = `${TILES_PATH}/:collection/:z/:x/:y`;

const ENDING = ".mvt";
const TILE_TYPE = "application/vnd.mapbox-vector-tile";
const PARAMETERS = { parameters: ["api_key"] } as const;

const number = (name: string, most: number, example: number, description: string) =>
  z
    .int()
    .min(0)
    .max(most)
    .openapi({ param: { name, in: "path" }, description, example });
const LAST = 2 ** MAX_ZOOM - 1;
const params = z.object({
  collection: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/)
    .openapi({
      param: { name: "collection", in: "path" },
      description:
        "A collection of the dataset, such as `place`, or a search path, such as `places` or `base`, whose collections are the layers.",
      example: "places",
    }),
  z: number("z", MAX_ZOOM, 14, "Zoom."),
  x: number("x", LAST, 3399, "Column, from 0 at 180 degrees west to 2^z - 1."),
  y: number("y", LAST, 6201, "Row, from 0 in the north to 2^z - 1."),
});

/** Adds `GET /tiles/{collection}/{z}/{x}/{y}.mvt` to the interface. */
export function addTilePath(api: OpenAPIHono, dataset: Dataset): void {
  api.openAPIRegistry.registerPath(
    createRoute({
      method: "get",
      path: `${TILES_PATH}/{collection}/{z}/{x}/{y}${ENDING}`,
      operationId: "getTile",
      tags: ["map"],
      summary: "A vector tile.",
      description: `Each layer is named like its collection; features have \`id\`, \`name\`, \`class\` and \`importance\`. From zoom ${EXACT_ZOOM} on a tile contains every feature that meets it. Below, features that are small, less important, or too large to read are left out and counted.`,
      request: { params, query: documented(pathParameters(PARAMETERS)) },
      responses: tileResponses,
    }),
  );
  api.get(TILE_ROUTE, async (c) => {
    const { signal } = c.req.raw;
    const asked = placeOf(c);
    const manifest = await dataset.manifest(signal);
    const name = c.req.param("collection");
    const layers = layersOf(name, manifest);
    if (layers.length === 0) {
      const known = tileNames(manifest).join(", ");
      return errorResponse(404, [`${JSON.stringify(name)} has no tiles; there are those of ${known}`]);
    }
    return unlessHeld({ c, dataset }, async ({ dataset }, caching) => {
      const { data, leftOut } = await readTile(dataset, { ...asked, layers }, { signal });
      const headers = { ...caching, "Cairn-Tile-Left-Out": String(leftOut) };
      if (data.length === 0) return new Response(null, { status: 204, headers });
      return new Response(data, { headers: { "Content-Type": TILE_TYPE, ...headers } });
    });
  });
}

/** Returns the tile that the URL names. Throws `ParameterError` with every fault. */
function placeOf(c: Context): TileId {
  const { z = "", x = "", y = "" } = c.req.param();
  const unknown = Object.keys(parametersOf(new URL(c.req.url).searchParams)).filter((name) => name !== "api_key");
  const faults = [
    ...(y.endsWith(ENDING) ? [] : [`a tile URL must end in ${ENDING}, got ${JSON.stringify(y)}`]),
    ...unknown.map((name) => `${JSON.stringify(name)} is not a parameter of ${TILES_PATH}; there is api_key`),
  ];
  if (faults.length > 0) throw new ParameterError(faults);
  return parseTile({ z, x, y: y.slice(0, -ENDING.length) });
}

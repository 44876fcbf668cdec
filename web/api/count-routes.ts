/**
 * Routes of the paths that count places: brands, categories, countries.
 * @module
 */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Dataset, Group, Grouping, Json } from "../engine/index.ts";
import {
  bodyOf,
  type CountPath,
  flatCsv,
  JSON_FRAME,
  operationIdOf,
  parametersOf,
  parseSearch,
  pathParameters,
  runCount,
} from "../search/index.ts";
import { answer, fileNameOf } from "./answer.ts";
import { countResponses, documented } from "./schemas.ts";

type Counted = Readonly<Record<string, Json>>;

interface Shape {
  readonly summary: string;
  readonly columns: readonly string[];
  record(group: Group): Counted;
}

/** How each kind of group is written: as a record, and as columns of CSV. */
const SHAPES: Readonly<Record<Grouping, Shape>> = {
  brand: {
    summary: "Brands of the matching places.",
    record: ({ value, rows }) => ({ ...(value as Counted), counts: { places: rows } }),
    columns: ["names.primary", "wikidata", "counts.places"],
  },
  category: {
    summary:
      "Primary categories of the matching places. Each place counts once, while `categories` also finds alternate ones.",
    record: ({ value, rows, brands }) => ({ primary: value, counts: { places: rows, brands } }),
    columns: ["primary", "counts.places", "counts.brands"],
  },
  country: {
    summary: "Countries of the matching places.",
    record: ({ value, rows, brands }) => ({ country: value, counts: { places: rows, brands } }),
    columns: ["country", "counts.places", "counts.brands"],
  },
};

/** Adds a path that counts places, such as `/places/brands`, to the interface. */
export function addCountPath(api: OpenAPIHono, path: CountPath, dataset: Dataset): void {
  const { summary, record, columns } = SHAPES[path.by];
  api.openAPIRegistry.registerPath(
    createRoute({
      method: "get",
      path: path.path,
      operationId: operationIdOf("count", path.path),
      tags: ["count"],
      summary,
      description: "Accepts all parameters that filter places. Without a location all places are counted.",
      request: { query: documented(pathParameters(path)) },
      responses: countResponses(path.by),
    }),
  );
  api.get(path.path, async (c) => {
    const search = parseSearch(path, parametersOf(new URL(c.req.url).searchParams));
    const { signal } = c.req.raw;
    return answer({ c, dataset, release: search.release }, async ({ dataset }) => {
      const { page, limit, shown } = search;
      const { total, groups } = await runCount(dataset, path, search, { signal });
      const csv = flatCsv(columns);
      const isCsv = shown.format === "csv";
      const records = groups.map(record).map((group) => (isCsv ? csv.write(group) : JSON.stringify(group)));
      const frame = isCsv ? csv : JSON_FRAME;
      return {
        frame,
        pieces: bodyOf(frame, records),
        fileName: fileNameOf(path.path),
        paging: { total, length: records.length, page, limit },
      };
    });
  });
}

/**
 * Routes that stream all records of a search, without pages.
 * @module
 */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Dataset } from "../engine/index.ts";
import {
  allRecords,
  bodyOfPages,
  operationIdOf,
  parametersOf,
  parseSearch,
  pathParameters,
  type SEARCH_PATHS,
  type SearchPath,
  type SomeRecords,
  writerOf,
} from "../search/index.ts";
import { answer, fileNameOf } from "./answer.ts";
import { documented, exportResponses } from "./schemas.ts";
import { licensesOf } from "./search-routes.ts";

export const EXPORT_PATH = "/export";

const withoutPages = new WeakMap<SearchPath, SearchPath>();

/** Returns the path without its parameters `limit` and `page`. */
function wholePath(path: SearchPath): SearchPath {
  const known = withoutPages.get(path) ?? {
    ...path,
    parameters: path.parameters.filter((name) => name !== "limit" && name !== "page"),
  };
  withoutPages.set(path, known);
  return known;
}

/** Adds the path, such as `/export/places`, that streams all records of a search. */
export function addExportPath(api: OpenAPIHono, path: (typeof SEARCH_PATHS)[number], dataset: Dataset): void {
  const name = `${EXPORT_PATH}${path.path}`;
  api.openAPIRegistry.registerPath(
    createRoute({
      method: "get",
      path: name,
      operationId: operationIdOf("export", path.path),
      tags: ["search"],
      summary: `All records of a search of ${path.path}, without pages.`,
      description:
        "The body is sent while it is made. An interrupted body is incomplete: its transfer ends with an error. With `includes`, and with `categories` for places, records come from a column table if the dataset has one.",
      request: { query: documented(pathParameters(wholePath(path))) },
      responses: exportResponses,
    }),
  );
  api.get(name, (c) => answerExport(c, path, dataset));
}

/** Answers with all records of the search. */
export async function answerExport(c: Context, path: SearchPath, dataset: Dataset): Promise<Response> {
  const search = parseSearch(wholePath(path), parametersOf(new URL(c.req.url).searchParams));
  const { signal } = c.req.raw;
  return answer({ c, dataset, release: search.release }, async ({ dataset: pinned, manifest }) => {
    // the first records decide the status
    const records = await started(await allRecords(pinned, search, { signal }));
    const writer = await writerOf(path, search.shown, manifest);
    return {
      frame: writer,
      pieces: bodyOfPages(writer, records),
      fileName: fileNameOf(path.path),
      licenses: licensesOf(search.shown, `${EXPORT_PATH}${path.path}`),
    };
  });
}

/** Reads the first records, so that an error there decides the status. Returns all records. */
async function started(records: AsyncIterable<SomeRecords>): Promise<AsyncIterable<SomeRecords>> {
  const iterator = records[Symbol.asyncIterator]();
  const first = await iterator.next();
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for (let next = first; !next.done; next = await iterator.next()) yield next.value;
      } finally {
        await iterator.return?.();
      }
    },
  };
}

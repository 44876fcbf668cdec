/**
 * What all answers have in common: entity tags, paging headers, streamed bodies.
 * @module
 */
import type { Context } from "hono";
import type { Manifest } from "../../data/format/manifest.ts";
import { entityTag, matchesTag } from "./etag.ts";
import type { Format } from "./formats.ts";
import { type Paging, pagingHeaders } from "./paging.ts";
import { streamText } from "./stream.ts";

/** What the routes are given beside the request. */
export interface ApiEnv {
  readonly Bindings: {
    /** As it was sent. */
    readonly request: Request;
  };
}

export interface Answer<T> {
  readonly format: Format<T>;
  readonly records: Iterable<T>;
  /** Name of a download, without its ending. */
  readonly fileName: string;
  readonly paging?: Paging;
  /** Release that it comes from, where that may not be the one of the moment. */
  readonly release?: string;
}

/** Answers 304 when the caller has the answer already; else with what `search` finds. */
export async function answer<T>(
  c: Context<ApiEnv>,
  manifest: Manifest,
  search: () => Promise<Answer<T>>,
): Promise<Response> {
  const url = new URL(c.req.url);
  const tag = await entityTag(manifest, url);
  const caching = { ETag: tag, "Cache-Control": "no-cache" };
  if (matchesTag(c.req.header("If-None-Match"), tag)) return new Response(null, { status: 304, headers: caching });
  const { format, records, fileName, paging, release = manifest.release } = await search();
  return new Response(streamText(format.write(records)), {
    headers: {
      "Content-Type": format.contentType,
      // the tag is the present release's: a saved area's answer must not pass for it
      ...(release === manifest.release ? caching : { "Cache-Control": "no-store" }),
      ...(format.extension === undefined
        ? {}
        : { "Content-Disposition": `attachment; filename="${fileName}.${format.extension}"` }),
      ...(paging ? pagingHeaders(paging, { query: url.searchParams, linkTo: c.var.linkTo }) : {}),
    },
  });
}

/** A path as the name of a file. */
export function fileNameOf(path: string): string {
  return path.slice(1).replaceAll("/", "-");
}

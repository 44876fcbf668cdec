/**
 * What all answers have in common: entity tags, paging headers, streamed bodies.
 * @module
 */
import type { Context } from "hono";
import type { Manifest } from "../../data/format/manifest.ts";
import type { Frame, Piece } from "../search/index.ts";
import { entityTag, matchesTag } from "./etag.ts";
import { type Paging, pagingHeaders } from "./paging.ts";
import { streamText } from "./stream.ts";

export interface Answer {
  readonly frame: Frame;
  readonly pieces: Iterable<Piece>;
  /** Name of a download, without its ending. */
  readonly fileName: string;
  readonly paging?: Paging;
  /** Release that it comes from, where that may not be the one of the moment. */
  readonly release?: string;
  /** Reference to what names sources and licences, where a body of its own format cannot. */
  readonly licenses?: string | undefined;
}

/** Answers 304 when the caller has the answer already; else with what `search` finds. */
export async function answer(c: Context, manifest: Manifest, search: () => Promise<Answer>): Promise<Response> {
  const url = new URL(c.req.url);
  // the tag is of the address: it says nothing of a body
  const tag = c.req.method === "POST" ? undefined : await entityTag(manifest, url);
  const caching = tag === undefined ? { "Cache-Control": "no-store" } : { ETag: tag, "Cache-Control": "no-cache" };
  if (tag !== undefined && matchesTag(c.req.header("If-None-Match"), tag)) {
    return new Response(null, { status: 304, headers: caching });
  }
  const { frame, pieces, fileName, paging, release = manifest.release, licenses } = await search();
  const { linkTo } = c.var;
  const pages: Record<string, string> = paging ? pagingHeaders(paging, { query: url.searchParams, linkTo }) : {};
  const links = [pages.Link, licenses === undefined ? undefined : `<${linkTo(licenses)}>; rel="license"`];
  return new Response(streamText(pieces), {
    headers: {
      "Content-Type": frame.contentType,
      // the tag is the present release's: a saved area's answer must not pass for it
      ...(release === manifest.release ? caching : { "Cache-Control": "no-store" }),
      ...(frame.extension === undefined
        ? {}
        : { "Content-Disposition": `attachment; filename="${fileName}.${frame.extension}"` }),
      ...pages,
      ...(links.some(Boolean) ? { Link: links.filter(Boolean).join(", ") } : {}),
    },
  });
}

/** A path as the name of a file. */
export function fileNameOf(path: string): string {
  return path.slice(1).replaceAll("/", "-");
}

/**
 * Common parts of all answers: entity tags, paging headers, streamed bodies.
 * @module
 */
import type { Context } from "hono";
import type { Manifest } from "../../data/format/manifest.ts";
import { sha256Of } from "../../data/format/sha256.ts";
import type { Frame, Piece } from "../search/index.ts";
import { streamText } from "./stream.ts";

export interface Answer {
  readonly frame: Frame;
  readonly pieces: Iterable<Piece>;
  /** Name of a download, without its extension. */
  readonly fileName: string;
  readonly paging?: Paging;
  /** Its release, if it may differ from the current one. */
  readonly release?: string;
  /** Link to the sources and licences, if the format has no place for them. */
  readonly licenses?: string | undefined;
}

/**
 * Answers 304 when the caller already has the answer; otherwise returns the result of `make` with the headers of a
 * release.
 */
export async function unlessHeld(
  c: Context,
  manifest: Manifest,
  make: (cachingOf: (release: string | undefined) => Readonly<Record<string, string>>) => Promise<Response>,
): Promise<Response> {
  const passing = { "Cache-Control": "no-store" };
  // the tag is of the URL and does not cover a body
  if (c.req.method === "POST") return make(() => passing);
  const tag = await entityTag(manifest, new URL(c.req.url));
  const caching = { ETag: tag, "Cache-Control": "no-cache" };
  const given = c.req.header("If-None-Match");
  const isAny = given?.trim() === "*";
  if (!isAny && matchesTag(given, tag)) return new Response(null, { status: 304, headers: caching });
  // the tag is of the current release: the answer of a saved area must not have it
  const made = await make((release) => (release === manifest.release ? caching : passing));
  if (!isAny || !made.ok) return made;
  await made.body?.cancel();
  return new Response(null, { status: 304, headers: caching });
}

/** Answers with the result of `search`, unless the caller already has it. Sends a response of `search` unchanged. */
export function answer(c: Context, manifest: Manifest, search: () => Promise<Answer | Response>): Promise<Response> {
  return unlessHeld(c, manifest, async (cachingOf) => {
    const found = await search();
    if (found instanceof Response) return found;
    const { frame, pieces, fileName, paging, release = manifest.release, licenses } = found;
    const { linkTo } = c.var;
    const pages: Record<string, string> = paging
      ? pagingHeaders(paging, { query: new URL(c.req.url).searchParams, linkTo })
      : {};
    const links = [pages.Link, licenses === undefined ? undefined : `<${linkTo(licenses)}>; rel="license"`];
    return new Response(streamText(pieces), {
      headers: {
        "Content-Type": frame.contentType,
        // a header contains only ASCII
        "Cairn-Release": encodeURIComponent(release),
        ...cachingOf(release),
        ...(frame.extension === undefined
          ? {}
          : { "Content-Disposition": `attachment; filename="${fileName}.${frame.extension}"` }),
        ...pages,
        ...(links.some(Boolean) ? { Link: links.filter(Boolean).join(", ") } : {}),
      },
    });
  });
}

/** Returns a path as a file name. */
export function fileNameOf(path: string): string {
  return path.slice(1).replaceAll("/", "-");
}

/** Increase when the same search over the same dataset is written differently. */
const BODY_VERSION = 2;

const datasetTags = new WeakMap<Manifest, Promise<string>>();

/** Returns the strong tag of the answer to this path and query over this dataset. */
export async function entityTag(manifest: Manifest, url: URL): Promise<string> {
  const dataset = datasetTags.get(manifest) ?? digest(JSON.stringify(manifest));
  datasetTags.set(manifest, dataset);
  const query = [...url.searchParams].filter(([name]) => name !== "api_key");
  return `"${await digest(JSON.stringify([BODY_VERSION, await dataset, url.pathname, query]))}"`;
}

/**
 * Whether an `If-None-Match` header contains the tag. @see https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || header.split(",").some((entry) => entry.trim().replace(/^W\//, "") === tag);
}

async function digest(text: string): Promise<string> {
  return (await sha256Of(new TextEncoder().encode(text))).slice(0, 24);
}

export interface Paging {
  readonly total: number;
  readonly length: number;
  /** From 0. */
  readonly page: number;
  readonly limit: number;
}

/** Headers that browser scripts may read. */
export const EXPOSED_HEADERS = [
  "Pagination-Count",
  "Pagination-Page",
  "Pagination-Limit",
  "X-Total-Count",
  "Link",
  "ETag",
  "Content-Disposition",
  "Retry-After",
  "Cairn-Tile-Left-Out",
  "Cairn-Release",
];

/** Returns the paging headers of an answer. `linkTo` returns the link for a query (with `?`) on the requested path. */
export function pagingHeaders(
  { total, length, page, limit }: Paging,
  { query, linkTo }: { readonly query: URLSearchParams; readonly linkTo: (reference: string) => string },
): Record<string, string> {
  return {
    "Pagination-Count": String(total),
    "Pagination-Page": String(page),
    "Pagination-Limit": String(limit),
    "X-Total-Count": String(length),
    Link: links(page, Math.max(0, Math.ceil(total / limit) - 1)),
  };

  /** @see https://www.rfc-editor.org/rfc/rfc8288 */
  function links(page: number, last: number): string {
    const at = (number: number, rel: string) => {
      const target = new URLSearchParams(query);
      target.delete("api_key");
      target.set("page", String(number));
      return `<${linkTo(`?${target}`)}>; rel="${rel}"`;
    };
    return [
      at(0, "first"),
      ...(page > 0 ? [at(Math.min(page - 1, last), "prev")] : []),
      ...(page < last ? [at(page + 1, "next")] : []),
      at(last, "last"),
    ].join(", ");
  }
}

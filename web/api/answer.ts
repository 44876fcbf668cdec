/**
 * Common parts of all answers: entity tags, paging headers, streamed bodies.
 * @module
 */
import type { Context } from "hono";
import type { Manifest } from "../../data/format/manifest.ts";
import { sha256Of } from "../../data/format/sha256.ts";
import type { Dataset } from "../engine/index.ts";
import type { Frame, Piece } from "../search/index.ts";
import { ERROR_HEADER } from "./error-codes.ts";
import { streamText } from "./stream.ts";

/** What an answer is made from. */
export interface Answer {
  readonly frame: Frame;
  readonly pieces: Iterable<Piece> | AsyncIterable<Piece>;
  /** Name of a download, without its extension. */
  readonly fileName: string;
  readonly paging?: Paging;
  /** Reference to a page that names sources and licences, for formats that cannot contain them. */
  readonly licenses?: string | undefined;
}

/** The request's context, the dataset, and the release that the request names (undefined for the current one). */
export interface Asked {
  readonly c: Context;
  readonly dataset: Dataset;
  readonly release?: string | undefined;
}

/** A dataset limited to one release, and the release's manifest. */
interface OneRelease {
  readonly dataset: Dataset;
  readonly manifest: Manifest;
}

/**
 * Answers with `make`, which reads one release, or with 304 if the caller already has the answer. The headers `ETag` and
 * `Cairn-Release`, for `make` in `caching`, are of that release. A POST has no entity tag.
 */
export function unlessHeld(
  { c, dataset, release }: Asked,
  make: (from: OneRelease, caching: Readonly<Record<string, string>>) => Promise<Response>,
): Promise<Response> {
  const { signal } = c.req.raw;
  const work = async (pinned: Dataset): Promise<Response> => {
    const manifest = await pinned.manifest(signal);
    // a header contains ASCII only
    const named = { "Cairn-Release": encodeURIComponent(manifest.release) };
    const from = { dataset: pinned, manifest };
    // an entity tag is a hash of the address, which does not contain the body
    if (c.req.method === "POST") return make(from, { ...named, "Cache-Control": "no-store" });
    const tag = await entityTag(manifest, new URL(c.req.url));
    const caching = { ...named, ETag: tag, "Cache-Control": "no-cache" };
    const given = c.req.header("If-None-Match");
    const isAny = given?.trim() === "*";
    if (!isAny && matchesTag(given, tag)) return new Response(null, { status: 304, headers: caching });
    const made = await make(from, caching);
    if (!isAny || !made.ok) return made;
    await made.body?.cancel();
    return new Response(null, { status: 304, headers: caching });
  };
  return dataset.onRelease(work, { release, signal });
}

/**
 * Answers with the result of `search`, or with 304 if the caller already has it. If `search` returns a response, such as an
 * error, sends it unchanged.
 */
export function answer(asked: Asked, search: (from: OneRelease) => Promise<Answer | Response>): Promise<Response> {
  const { c } = asked;
  return unlessHeld(asked, async (from, caching) => {
    const found = await search(from);
    if (found instanceof Response) return found;
    const { frame, pieces, fileName, paging, licenses } = found;
    const { release } = from.manifest;
    const { linkTo } = c.var;
    const pages: Record<string, string> = paging
      ? pagingHeaders({ ...paging, release }, { query: new URL(c.req.url).searchParams, linkTo })
      : {};
    const links = [pages.Link, licenses === undefined ? undefined : `<${linkTo(licenses)}>; rel="license"`];
    return new Response(streamText(pieces), {
      headers: {
        "Content-Type": frame.contentType,
        ...caching,
        ...(frame.extension === undefined
          ? {}
          : { "Content-Disposition": `attachment; filename="${fileName}.${frame.extension}"` }),
        ...pages,
        ...(links.some(Boolean) ? { Link: links.filter(Boolean).join(", ") } : {}),
      },
    });
  });
}

/** Returns a path as a file name without an extension: `places-buildings` for `/places/buildings`. */
export function fileNameOf(path: string): string {
  return path.slice(1).replaceAll("/", "-");
}

/** Increase this when a program writes the answer to the same search over the same dataset differently. */
const BODY_VERSION = 2;

/**
 * Returns the strong entity tag, in quotes, of the answer to this path and query over the release of the manifest. Ignores
 * `api_key`.
 */
export async function entityTag(manifest: Manifest, url: URL): Promise<string> {
  const query = [...url.searchParams].filter(([name]) => name !== "api_key");
  return `"${await digest(JSON.stringify([BODY_VERSION, manifest.sha256, url.pathname, query]))}"`;
}

/**
 * Returns whether an `If-None-Match` header contains the tag, weak or strong, or is `*`.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-if-none-match
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || header.split(",").some((entry) => entry.trim().replace(/^W\//, "") === tag);
}

async function digest(text: string): Promise<string> {
  return (await sha256Of(new TextEncoder().encode(text))).slice(0, 24);
}

interface Paging {
  readonly total: number;
  readonly length: number;
  /** Page number, from 0. */
  readonly page: number;
  readonly limit: number;
}

/** Headers of answers that scripts of other origins may read. */
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
  ERROR_HEADER,
  "Cairn-Release",
];

/** Returns the paging headers of an answer. `linkTo` turns a query, which begins with `?`, into a link to the requested path. */
export function pagingHeaders(
  { total, length, page, limit, release }: Paging & { readonly release: string },
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
      // the first page starts a new list; the others continue this one
      if (rel === "first") target.delete("release");
      else target.set("release", release);
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

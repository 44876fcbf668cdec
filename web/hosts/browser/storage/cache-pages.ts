/** Rarely used files, cached on first use: the REST reference, tools for an agent, words of a language. @module */
import { openCache } from "../cache/index.ts";

const CACHE = "cairn-pages";
const ASSET = /^assets\/((docs|mcp)-[\w-]+\.(js|css)|(words|intents)-[\w-]+\.json)$/;

/**
 * Returns whether the answer to a request is a page that is cached when it is first opened, such as the REST reference.
 */
export function isPageKeptOnUse({ method, url }: Request, base: URL): boolean {
  return method === "GET" && isPage(url, base);
}

function isPage(url: string, base: URL): boolean {
  if (!url.startsWith(base.href)) return false;
  const [path = ""] = url.slice(base.href.length).split(/[?#]/);
  return path === "docs/" || path === "docs/index.html" || ASSET.test(path);
}

/**
 * Answers hashed files from the cache, pages from the network; both from the cache when offline. Stores answers. Throws without
 * one.
 */
export async function answerPage(request: Request): Promise<Response> {
  const cache = await openCache(CACHE);
  const kept = await cache?.match(request, { ignoreSearch: true }).catch(() => undefined);
  if (kept && request.url.includes("/assets/")) return kept;
  try {
    const response = await fetch(request);
    if (response.ok) cache?.put(request, response.clone()).catch(() => {});
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/** Removes files of other versions of this site. They are fetched again on use. */
export async function removeOldPages(base: URL): Promise<void> {
  const cache = await openCache(CACHE);
  for (const request of (await cache?.keys()) ?? []) {
    if (isPage(request.url, base)) await cache?.delete(request);
  }
}

/**
 * Files of the site that are rarely used, and cached on first use: the REST reference, tools for agents, words of a language.
 * @module
 */
import { openCache } from "../cache/index.ts";

const CACHE = "cairn-pages";
const ASSET = /^assets\/((docs|mcp)-[\w-]+\.(js|css)|(words|intents)-[\w-]+\.json)$/;

/** Returns whether a request is for a file that is cached on first use. */
export function isPageKeptOnUse({ method, url }: Request, base: URL): boolean {
  return method === "GET" && isPage(url, base);
}

function isPage(url: string, base: URL): boolean {
  if (!url.startsWith(base.href)) return false;
  const [path = ""] = url.slice(base.href.length).split(/[?#]/);
  return path === "docs/" || path === "docs/index.html" || ASSET.test(path);
}

/**
 * Answers a hashed file from the cache, and a page from the network; offline both from the cache. Stores answers of the network.
 * Rejects if there is no answer.
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

/** Deletes these files from the cache. They are fetched again on use. */
export async function removeOldPages(base: URL): Promise<void> {
  const cache = await openCache(CACHE);
  for (const request of (await cache?.keys()) ?? []) {
    if (isPage(request.url, base)) await cache?.delete(request);
  }
}

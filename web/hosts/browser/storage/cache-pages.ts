/** What few need, kept when it is first used: the REST reference, tools for an agent, words of a language. @module */
import { openCache } from "../cache/index.ts";

const CACHE = "cairn-pages";
const ASSET = /^assets\/((docs|mcp)-[\w-]+\.(js|css)|words-[\w-]+\.json)$/;

export function isPageKeptOnUse({ method, url }: Request, base: URL): boolean {
  return method === "GET" && isPage(url, base);
}

function isPage(url: string, base: URL): boolean {
  if (!url.startsWith(base.href)) return false;
  const [path = ""] = url.slice(base.href.length).split(/[?#]/);
  return path === "docs/" || path === "docs/index.html" || ASSET.test(path);
}

/** Files with a hash from the cache, pages from the network; either from the cache when nobody answers. */
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

/** Forgets those of another version of this site: they are fetched anew when they are opened. */
export async function removeOldPages(base: URL): Promise<void> {
  const cache = await openCache(CACHE);
  for (const request of (await cache?.keys()) ?? []) {
    if (isPage(request.url, base)) await cache?.delete(request);
  }
}

/**
 * The service worker: REST addresses below the page's folder, answered from the dataset's static files, and the page itself
 * when there is no network. Everything else is left to the browser.
 * @module
 */

import { duckdbWasm, parquetWasm } from "virtual:shipped-files";
import { clientsClaim } from "workbox-core";
import { cleanupOutdatedCaches, precacheAndRoute } from "workbox-precaching";
import { isApiPath } from "../../api/index.ts";
import { answerPage, isPageKeptOnUse, removeOldPages } from "./cache/cache-pages.ts";
import { type BrowserHost, compose } from "./compose.ts";
import { removeOtherWasm } from "./wasm/wasm-files.ts";

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: Parameters<typeof precacheAndRoute>[0] };

const base = new URL(self.registration.scope);
// A worker without a window is started and stopped at will: 60 MB of DuckDB are only for those who ask for them.
const wantsDatabase = new URL(self.location.href).searchParams.get("executor") === "sql";
/** It lives for as long as somebody asks. */
const MANIFEST_MAX_AGE_MS = 60_000;
/** A dataset elsewhere is named in the worker's own address, which outlives the page. */
const elsewhere = new URL(self.location.href).searchParams.get("dataset");
let host: Promise<BrowserHost> | undefined;

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== base.origin) return;
  if (isApiPath(pathname, base.pathname)) event.respondWith(answer(event.request));
  else if (isPageKeptOnUse(event.request, base)) event.respondWith(answerPage(event.request));
});

// A new version waits until no tab runs the old one, or until the reader says so in one of them.
self.addEventListener("message", ({ data }) => {
  if (data === "take-over") void self.skipWaiting();
});
self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([removeOtherWasm([parquetWasm, duckdbWasm], base), removeOldPages()]));
});

precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false });
cleanupOutdatedCaches();
clientsClaim();

async function answer(request: Request): Promise<Response> {
  host ??= compose({
    base,
    manifestMaxAgeMs: MANIFEST_MAX_AGE_MS,
    ...(elsewhere === null ? {} : { dataset: new URL(elsewhere, base) }),
    onFailure: (error, reference) => console.error(reference, error),
    ...(wantsDatabase ? { executor: "sql", databaseAfter: Promise.resolve() } : { executor: "scan" }),
  });
  try {
    const { api } = await host;
    return await api(request);
  } catch (error) {
    host = undefined;
    const message = error instanceof Error ? error.message : String(error);
    return Response.json(
      { statusCode: 503, message: [`the engine cannot start: ${message}`], error: "Service Unavailable" },
      { status: 503, headers: { "Retry-After": "5" } },
    );
  }
}

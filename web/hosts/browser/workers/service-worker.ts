/** The service worker: answers REST requests below the folder of the page, and the page itself when offline. @module */

import { duckdbWasm, parquetWasm } from "virtual:shipped-files";
import { clientsClaim } from "workbox-core";
import { precacheAndRoute } from "workbox-precaching";
import { isApiPath, mayBeOwnPath } from "../../../api/index.ts";
import { removeOtherWasm } from "../cache/index.ts";
import { namedDataset } from "../protocol/index.ts";
import { answerPage, isPageKeptOnUse, removeOldPages } from "../storage/index.ts";
import { createServiceApi } from "./service-api.ts";

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: Parameters<typeof precacheAndRoute>[0];
  /** URL of an external dataset, set by the build. */
  readonly cairnDataset?: string;
  /** Pinned keys of the site's dataset, set by the build. */
  readonly cairnKey?: string;
};

const base = new URL(self.registration.scope);
/** Set by `register()`, otherwise by the build. A link can change neither. */
const named = namedDataset(self.location);
const dataset = named ?? new URL(self.cairnDataset ?? "dataset/", base);
const answer = createServiceApi({ base, dataset, key: named ? undefined : self.cairnKey });

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== base.origin) return;
  if (isApiPath(pathname, base.pathname)) event.respondWith(answer(event.request));
  else if (mayBeOwnPath(pathname, base.pathname)) event.respondWith(answerOwn(event.request));
  else if (isPageKeptOnUse(event.request, base)) event.respondWith(answerPage(event.request));
});

/** Another page of the site may have the path of a collection: the host has it where the dataset has no such collection. */
async function answerOwn(request: Request): Promise<Response> {
  const answered = await answer(request.clone());
  return answered.status === 404 || answered.status === 503 ? fetch(request).catch(() => answered) : answered;
}

// A new version waits until the last tab closes or the user agrees. One at another address does not wait: the old one
// may serve a foreign dataset.
self.addEventListener("install", () => {
  const { location, registration } = self;
  const isSuccessor = registration.active?.scriptURL === location.href && (location.search === "" || named);
  if (!isSuccessor) void self.skipWaiting();
});
self.addEventListener("message", ({ data }) => {
  if (data === "take-over") void self.skipWaiting();
});
self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([removeOtherWasm([parquetWasm, duckdbWasm], base), removeOldPages(base)]));
});

precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false });
clientsClaim();

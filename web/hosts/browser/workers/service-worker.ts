/** The service worker: answers REST addresses below the page's folder, and the page itself when there is no network. @module */

import { duckdbWasm, parquetWasm } from "virtual:shipped-files";
import { clientsClaim } from "workbox-core";
import { precacheAndRoute } from "workbox-precaching";
import { isApiPath } from "../../../api/index.ts";
import { removeOtherWasm } from "../cache/index.ts";
import { namedDataset } from "../protocol/index.ts";
import { answerPage, isPageKeptOnUse, removeOldPages } from "../storage/index.ts";
import { createServiceApi } from "./service-api.ts";

declare const self: ServiceWorkerGlobalScope & {
  readonly __WB_MANIFEST: Parameters<typeof precacheAndRoute>[0];
  /** Where the build puts the URL of a dataset elsewhere. */
  readonly cairnDataset?: string;
};

const base = new URL(self.registration.scope);
/** Named by `register()`, else by the build: in neither can a link write. */
const named = namedDataset(self.location);
const dataset = named ?? new URL(self.cairnDataset ?? "dataset/", base);
const answer = createServiceApi({ base, dataset });

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== base.origin) return;
  if (isApiPath(pathname, base.pathname)) event.respondWith(answer(event.request));
  else if (isPageKeptOnUse(event.request, base)) event.respondWith(answerPage(event.request));
});

// A new version waits for the last tab, or for the reader's word; at another address it does not: that one may serve a stranger's dataset.
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

/** Replaces the service worker of a site that is taken down: removes what the site has stored, and then itself. @module */
import { cacheNames } from "workbox-core";
import { removeOtherWasm } from "../cache/index.ts";
import { cacheFiles, openBrowserStore, removeOldPages } from "../storage/index.ts";

declare const self: ServiceWorkerGlobalScope & { readonly cairnDataset?: string };

const base = new URL(self.registration.scope);

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(retire()));

/** Open pages request the host once more. The second removal covers what they wrote until then. */
async function retire(): Promise<void> {
  await self.clients.claim();
  await removeAll();
  const pages = await self.clients.matchAll({ type: "window" });
  // from here on a navigation goes to the host without this worker
  await self.registration.unregister();
  // a navigation to a URL with a fragment would not reach the network
  await Promise.allSettled(pages.map((page) => page.navigate(page.url.replace(/#.*/, ""))));
  await removeAll();
  // an open page may have registered again before it was replaced
  await self.registration.unregister();
}

/** Removes what the site has stored. Ignores failures, so that they do not keep the old site running. */
async function removeAll(): Promise<void> {
  await Promise.allSettled([
    caches.delete(cacheNames.precache),
    removeOldPages(base),
    removeOtherWasm([], base),
    removeDataset(new URL(self.cairnDataset ?? "dataset/", base)),
  ]);
}

async function removeDataset(folder: URL): Promise<void> {
  const files = cacheFiles(folder);
  await Promise.all((await files.names()).map((name) => files.remove(name)));
  const { areas, uses } = openBrowserStore(folder);
  await Promise.all((await areas.areas()).map(({ id }) => areas.remove(id)));
  await uses.forget((await uses.uses()).map(({ path }) => path));
}

/** What takes the service worker's place on a site that is taken down: it removes what the site kept, and itself. @module */
import { cacheNames } from "workbox-core";
import { removeOtherWasm } from "../cache/index.ts";
import { cacheFiles, openBrowserStore, removeOldPages } from "../storage/index.ts";

declare const self: ServiceWorkerGlobalScope & { readonly cairnDataset?: string };

const base = new URL(self.registration.scope);

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(retire()));

/** Pages that are open ask the host once more. What they wrote until then is removed by the second round. */
async function retire(): Promise<void> {
  await self.clients.claim();
  await removeAll();
  const pages = await self.clients.matchAll({ type: "window" });
  // from here on a navigation goes to the host without waiting for this worker
  await self.registration.unregister();
  // to an address with a fragment it would go without asking
  await Promise.allSettled(pages.map((page) => page.navigate(page.url.replace(/#.*/, ""))));
  await removeAll();
}

/** What cannot be removed does not keep the site alive. */
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
  for (const name of await files.names()) await files.remove(name);
  const { areas, uses } = openBrowserStore(folder);
  for (const { id } of await areas.areas()) await areas.remove(id);
  await uses.forget((await uses.uses()).map(({ path }) => path));
}

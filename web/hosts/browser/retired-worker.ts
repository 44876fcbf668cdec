/**
 * What takes the service worker's place on a site that is taken down: it removes what the site kept, and itself.
 * @module
 */
import { cacheNames } from "workbox-core";
import { cacheFiles } from "./cache/cache-files.ts";
import { removeOldPages } from "./cache/cache-pages.ts";
import { openBrowserStore } from "./saved-areas/database.ts";
import { removeOtherWasm } from "./wasm/wasm-files.ts";

declare const self: ServiceWorkerGlobalScope & { readonly cairnDataset?: string };

const base = new URL(self.registration.scope);

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(retire()));

/** Pages that are open ask the host once more. */
async function retire(): Promise<void> {
  await self.clients.claim();
  // whatever cannot be removed must not keep the site alive
  await Promise.allSettled([
    caches.delete(cacheNames.precache),
    removeOldPages(base),
    removeOtherWasm([], base),
    removeDataset(new URL(self.cairnDataset ?? "dataset/", base)),
  ]);
  const pages = await self.clients.matchAll({ type: "window" });
  await self.registration.unregister();
  // not waited for, since a page may wait for this; to an address with a fragment it would go without asking
  for (const page of pages) page.navigate(page.url.replace(/#.*/, "")).catch(() => {});
}

/** Its files, the saved areas, and the notes of both. */
async function removeDataset(folder: URL): Promise<void> {
  const files = cacheFiles(folder);
  for (const path of await files.paths()) await files.remove(path);
  const { areas, uses } = openBrowserStore(folder);
  for (const { id } of await areas.areas()) await areas.remove(id);
  await uses.forget((await uses.uses()).map(({ path }) => path));
}

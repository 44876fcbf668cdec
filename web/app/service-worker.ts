/**
 * The service worker answers REST addresses and keeps the page; the page itself does not wait for it.
 * @module
 */
import { effect } from "@preact/signals";
import { dataset, isSearching } from "./state/session.ts";

/** Registers it when the first search is answered, so that its downloads do not slow that down. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  let isDone = false;
  const stop = effect(() => {
    if (isDone || !dataset.value || isSearching.value) return;
    isDone = true;
    // A private window may refuse; the page works without.
    navigator.serviceWorker.register(`./service-worker.js${location.search}`).catch(() => {});
    queueMicrotask(() => stop());
  });
}

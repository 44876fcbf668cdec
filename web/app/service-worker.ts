/**
 * The service worker answers REST addresses and keeps the page; the page itself does not wait for it.
 * @module
 */
import { effect } from "@preact/signals";
import { dataset, isSearching } from "./state/session.ts";

/** Time in which an answer is drawn, also by a slow telephone. */
const AFTER_DRAWING_MS = 1000;

/** Registers it when the first search is answered, so that its downloads do not slow that down. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  let isDone = false;
  const stop = effect(() => {
    if (isDone || !dataset.value || isSearching.value) return;
    isDone = true;
    // A private window may refuse; the page works without.
    const register = () => navigator.serviceWorker.register(`./service-worker.js${location.search}`).catch(() => {});
    setTimeout(() => void register(), AFTER_DRAWING_MS);
    queueMicrotask(() => stop());
  });
}

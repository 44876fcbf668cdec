/**
 * The service worker answers REST addresses and keeps the page; the page itself does not wait for it.
 * @module
 */
import { effect } from "@preact/signals";
import { datasetLocation } from "./state/engine.ts";
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
    const register = () => navigator.serviceWorker.register(scriptAddress()).catch(() => {});
    setTimeout(() => void register(), AFTER_DRAWING_MS);
    queueMicrotask(() => stop());
  });
}

/** The script with the page's own parameters, and with the dataset's place when that is not beside the page. */
function scriptAddress(): string {
  const parameters = new URLSearchParams(location.search);
  const elsewhere = datasetLocation();
  if (elsewhere) parameters.set("dataset", elsewhere);
  return parameters.size === 0 ? "./service-worker.js" : `./service-worker.js?${parameters}`;
}

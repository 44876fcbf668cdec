/**
 * Registers the service worker, which answers REST requests and caches the page. A new version waits for the user or
 * the last tab.
 * @module
 */
import { effect, signal } from "@preact/signals";
import { serviceWorkerAddress } from "../hosts/browser/protocol/index.ts";
import { dataset, isSearching } from "./state/index.ts";

/** Wait after the first answer, in which also a slow phone can draw it. */
const AFTER_DRAWING_MS = 1000;
/** Interval between looks for a new version while a page stays open. A browser also checks when a page is opened. */
const LOOK_EVERY_MS = 60 * 60 * 1000;

/** Function that shows the new version of the program; undefined if there is no new version. */
export const newVersion = signal<(() => void) | undefined>(undefined);

/** Registers the service worker after the first answer, so that its downloads do not delay the answer. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  let isDone = false;
  const stop = effect(() => {
    if (isDone || !dataset.value || isSearching.value) return;
    isDone = true;
    const script = serviceWorkerAddress(new URL("./", document.baseURI));
    // A private window may refuse; the page works without.
    const register = () => navigator.serviceWorker.register(script).then(followVersions, () => {});
    setTimeout(() => void register(), AFTER_DRAWING_MS);
    queueMicrotask(() => stop());
  });
}

/** Shows the new version: this tab reloads. Other open tabs then offer to reload. */
export function takeOver(): void {
  newVersion.value?.();
}

function followVersions(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator;
  let present = serviceWorker.controller?.scriptURL;
  let isAsked = false;
  const offer = (worker: ServiceWorker | null) => {
    // The first worker at its URL becomes active by itself.
    if (worker?.state !== "installed" || worker.scriptURL !== serviceWorker.controller?.scriptURL) return;
    newVersion.value = () => {
      isAsked = true;
      worker.postMessage("take-over");
    };
  };
  offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => offer(installing));
  });
  serviceWorker.addEventListener("controllerchange", () => {
    if (isAsked) return location.reload();
    const next = serviceWorker.controller?.scriptURL;
    if (next === present) newVersion.value = () => location.reload();
    present = next;
  });
  setInterval(() => void registration.update().catch(() => {}), LOOK_EVERY_MS);
}

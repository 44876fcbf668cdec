/**
 * Registers the service worker, which then answers REST requests below its folder from static files.
 * @module
 */
import { controlledBy, serviceWorkerAddress } from "../hosts/browser/protocol/index.ts";
import { requireDigest } from "./secure.ts";

/** Where the service worker and its dataset are. */
export interface RegisterOptions {
  /** Folder of the built site with `service-worker.js`, on the origin of the page. Default: the folder of the page. */
  readonly site?: string | URL;
  /** Folder of the dataset, on any origin, relative to the page. Default: the dataset that the site was built for. */
  readonly dataset?: string | URL;
}

/** A service worker that answers REST requests. */
export interface Registration {
  /** Base URL of the REST paths, ending in `/`. */
  readonly base: string;
  /** Whether the service worker answers requests of this page: true only for pages below `base`. */
  readonly isInScope: boolean;
  /** Removes the service worker. Resolves to false if it was removed before. */
  unregister(): Promise<boolean>;
}

/**
 * Registers the service worker of a built site. Resolves when the worker answers requests; for a page in the site's folder, when
 * it controls the page. Throws in Node, in private windows, on insecure pages, for a site of another origin, and if the worker
 * cannot be installed.
 */
export async function register(options: RegisterOptions = {}): Promise<Registration> {
  requireDigest();
  if (!("serviceWorker" in (globalThis.navigator ?? {}))) {
    throw new Error("register() needs a service worker: not available in Node, private windows and insecure pages");
  }
  const base = new URL(options.site ?? "./", location.href);
  if (base.origin !== location.origin) {
    throw new Error(`a service worker must be of the page's origin ${location.origin}, got ${base.origin}`);
  }
  const { dataset } = options;
  const script = serviceWorkerAddress(base, dataset ? new URL(dataset, location.href) : undefined);
  const registration = await navigator.serviceWorker.register(script);
  const isInScope = location.href.startsWith(registration.scope);
  await (isInScope ? controlledBy(script) : active(registration));
  return { base: registration.scope, isInScope, unregister: () => registration.unregister() };
}

function active(registration: ServiceWorkerRegistration): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = registration.installing ?? registration.waiting;
    if (!worker) return resolve();
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error(`${worker.scriptURL} could not be installed`));
    });
  });
}

/** The address of the service worker, which must be the same for the page, the REST reference and `register()`. @module */

/**
 * Returns the address of the service worker. `site` must end in `/`. The dataset's URL follows the `?` without encoding and
 * without a query of its own: parameters copied from old links then never parse as such a URL.
 */
export function serviceWorkerAddress(site: URL, dataset?: URL): URL {
  const script = new URL("service-worker.js", site);
  if (dataset) script.search = dataset.origin + dataset.pathname.replace(/\/?$/, "/");
  return script;
}

/** Returns the dataset URL in the address of the service worker; undefined without an `http:` or `https:` URL. */
export function namedDataset({ search }: Pick<URL, "search">): URL | undefined {
  const named = search.slice(1);
  return /^https?:\/\//.test(named) && URL.canParse(named) ? new URL(named) : undefined;
}

/** Resolves when the service worker at this address controls the page. Waits for ever if it never does. */
export function controlledBy({ href }: URL): Promise<void> {
  const { serviceWorker } = navigator;
  return new Promise((resolve) => {
    const look = () => {
      if (serviceWorker.controller?.scriptURL !== href) return;
      serviceWorker.removeEventListener("controllerchange", look);
      resolve();
    };
    serviceWorker.addEventListener("controllerchange", look);
    look();
  });
}

/** The address of the service worker: the same for the page, the REST reference and `register()`. @module */

/**
 * Returns the address. `site` ends in `/`. `dataset` follows the `?` without encoding and without its own query, so that query
 * parameters copied from old links never parse as a URL.
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

/** Resolves when the service worker at this address controls the page. Otherwise waits for ever. */
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

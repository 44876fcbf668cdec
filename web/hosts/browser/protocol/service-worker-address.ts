/** The address of the service worker: one for the page, the REST reference and `register()`. @module */

/** The site's folder ends in `/`. `dataset` follows the `?` as it is, so that parameters that earlier versions copied from links never come out as a URL. */
export function serviceWorkerAddress(site: URL, dataset?: URL): URL {
  const script = new URL("service-worker.js", site);
  if (dataset) script.search = dataset.origin + dataset.pathname.replace(/\/?$/, "/");
  return script;
}

export function namedDataset({ search }: Pick<URL, "search">): URL | undefined {
  const named = search.slice(1);
  return /^https?:\/\//.test(named) && URL.canParse(named) ? new URL(named) : undefined;
}

/** Resolves when requests of this page go through that service worker, and not through one at another address. */
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

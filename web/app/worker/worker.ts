import { signal } from "@preact/signals";
import { callWorker, type HostNews, type PartNews } from "../../hosts/browser/protocol/index.ts";

// Before any worker starts: the page's policy asks for Trusted Types where the browser knows them. Text becomes the address of
// a script of the page's own origin only, and never markup.
interface TrustedTypes {
  createPolicy(name: "default", rules: { readonly createScriptURL: (url: string) => string }): unknown;
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy("default", {
  createScriptURL(url) {
    if (new URL(url, document.baseURI).origin === location.origin) return url;
    throw new TypeError(`script of another origin refused: ${url}`);
  },
});

/** How far each part of the engine is; a part nobody asked for is undefined. */
export const engineParts = {
  reader: signal<PartNews | undefined>(undefined),
  database: signal<PartNews | undefined>(undefined),
};

/** What the worker's last request to the dataset's host came to. */
export const hostNews = signal<HostNews | undefined>(undefined);

/** Bytes of map data that the worker has received. */
export const receivedBytes = signal(0);

/** Starts the worker's program: for the page itself, and once more for whatever may have to be ended. */
export function startWorker(): Worker {
  return new Worker(new URL("../../hosts/browser/workers/page-worker.ts", import.meta.url), { type: "module" });
}

/** Calls the worker, and starts it when it does not run. `open` is to be called first. */
export const remote = callWorker(startWorker, (news) => {
  if (news.part === "host") hostNews.value = news;
  else if (news.part === "data") receivedBytes.value = news.receivedBytes;
  else engineParts[news.part].value = news;
});

/** URL of a dataset that is not beside the page: the build writes it into the page's head. */
export function datasetLocation(): string | undefined {
  const location = document.querySelector<HTMLMetaElement>('meta[name="cairn-dataset"]')?.content;
  return location ? new URL(location, document.baseURI).href : undefined;
}

/** Whether the reader asked the browser to save data. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Opens the page's dataset. May be called again when it failed. */
export function openDataset(): ReturnType<typeof remote<"open">> {
  return remote("open", {
    base: new URL("./", document.baseURI).href,
    dataset: datasetLocation(),
    allowPrefetch: !savesData(),
  });
}

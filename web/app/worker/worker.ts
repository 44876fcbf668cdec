import { signal } from "@preact/signals";
import { callWorker, type HostStatus, type PartStatus } from "../../hosts/browser/protocol/index.ts";

// Before any worker starts: the policy of the page requires Trusted Types where supported. Text may only become the
// URL of a script of the page's own origin, never markup.
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

/** Load progress of the reader and of DuckDB; undefined before their first use. */
export const engineParts = {
  reader: signal<PartStatus | undefined>(undefined),
  database: signal<PartStatus | undefined>(undefined),
};

/** Result of the worker's last request to the host of the dataset; undefined before one. */
export const hostStatus = signal<HostStatus | undefined>(undefined);

/** Bytes of the dataset that the worker has received since its start. */
export const receivedBytes = signal(0);

/** Starts a worker with the program of the page: one for the page, and one for DuckDB, which may have to be ended. */
export function startWorker(): Worker {
  return new Worker(new URL("../../hosts/browser/workers/page-worker.ts", import.meta.url), { type: "module" });
}

/** Calls a function of the worker. The call `open` starts the worker; calls before that are rejected. */
export const remote = callWorker(startWorker, (status) => {
  if (status.part === "host") hostStatus.value = status;
  else if (status.part === "data") receivedBytes.value = status.receivedBytes;
  else engineParts[status.part].value = status;
});

/** Returns the URL of a dataset on another host, which the build writes into the head of the page; undefined without one. */
function datasetLocation(): string | undefined {
  const location = document.querySelector<HTMLMetaElement>('meta[name="cairn-dataset"]')?.content;
  return location ? new URL(location, document.baseURI).href : undefined;
}

/** Returns whether the user asked the browser to save data. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Opens the dataset of the page, and returns what it contains. May be called again after a failure. */
export function openDataset(): ReturnType<typeof remote<"open">> {
  return remote("open", {
    base: new URL("./", document.baseURI).href,
    dataset: datasetLocation(),
    key: document.querySelector<HTMLMetaElement>('meta[name="cairn-key"]')?.content,
    allowPrefetch: !savesData(),
  });
}

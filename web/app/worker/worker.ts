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

/** Load progress of each part of the engine; undefined before its first use. */
export const engineParts = {
  reader: signal<PartStatus | undefined>(undefined),
  database: signal<PartStatus | undefined>(undefined),
};

/** The result of the worker's last request to the host of the dataset. */
export const hostStatus = signal<HostStatus | undefined>(undefined);

export const receivedBytes = signal(0);

/** Starts the program of the worker: for the page, and again for work that may have to be ended. */
export function startWorker(): Worker {
  return new Worker(new URL("../../hosts/browser/workers/page-worker.ts", import.meta.url), { type: "module" });
}

/** Calls the worker. The call `open` starts it; calls before that are rejected. */
export const remote = callWorker(startWorker, (status) => {
  if (status.part === "host") hostStatus.value = status;
  else if (status.part === "data") receivedBytes.value = status.receivedBytes;
  else engineParts[status.part].value = status;
});

/** Returns the URL of an external dataset, which the build writes into the head of the page. */
function datasetLocation(): string | undefined {
  const location = document.querySelector<HTMLMetaElement>('meta[name="cairn-dataset"]')?.content;
  return location ? new URL(location, document.baseURI).href : undefined;
}

/** Returns whether the user asked the browser to save data. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Opens the dataset of the page. May be called again after a failure. */
export function openDataset(): ReturnType<typeof remote<"open">> {
  return remote("open", {
    base: new URL("./", document.baseURI).href,
    dataset: datasetLocation(),
    key: document.querySelector<HTMLMetaElement>('meta[name="cairn-key"]')?.content,
    allowPrefetch: !savesData(),
  });
}

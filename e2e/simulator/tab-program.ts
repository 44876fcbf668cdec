/**
 * The program of a simulated tab: the modules that the page worker and the service worker start, bundled into one script. The
 * simulator runs the script once per tab, with simulated globals.
 * @module
 */
import type { Dataset } from "../../web/engine/index.ts";
import { openPin } from "../../web/hosts/browser/pin/index.ts";
import type { AreaCalls, RemoteHandlers } from "../../web/hosts/browser/protocol/index.ts";
import { areaHandlers, createReleaseKeeper } from "../../web/hosts/browser/saved-areas/index.ts";
import type { DatasetStorage } from "../../web/hosts/browser/storage/index.ts";
import { compose } from "../../web/hosts/browser/workers/compose.ts";
import { createServiceApi } from "../../web/hosts/browser/workers/service-api.ts";
import { createTurns } from "../../web/hosts/browser/workers/turns.ts";

export interface Tab {
  readonly dataset: Dataset;
  readonly kept: DatasetStorage;
  readonly areas: Pick<RemoteHandlers, keyof AreaCalls>;
  /** What the page worker does after it has a manifest: old releases are removed when the tab is idle. */
  open(): Promise<void>;
  /** The same at once. */
  tidy(): Promise<void>;
}

export interface TabOptions {
  /** Folder of the page, which ends in `/`. The dataset is in its folder `dataset/`. */
  readonly base: string;
  readonly key: string | undefined;
}

/** Opens the dataset as the page worker does. */
export function openTab({ base, key }: TabOptions): Tab {
  const page = new URL(base);
  const folder = new URL("dataset/", page);
  const pin = key === undefined ? undefined : openPin(folder, key);
  const fetchFile = async () => Response.json({});
  const { dataset, kept } = compose({ base: page, pin: pin && (async () => pin), fetchFile });
  const releases = createReleaseKeeper(folder, kept);
  const turns = createTurns();
  return {
    dataset,
    kept,
    areas: areaHandlers(async () => kept),
    async open() {
      const manifest = await dataset.manifest();
      await releases.use(manifest);
      await turns.quiet();
      await releases.tidy(manifest);
      await kept.slices.list();
    },
    async tidy() {
      await dataset.prefetchIndex();
      await releases.tidy(await dataset.manifest());
    },
  };
}

/** Opens the REST interface as the service worker does. */
export function openService({ base, key }: TabOptions): (request: Request) => Promise<Response> {
  const dataset = new URL("dataset/", base);
  return createServiceApi({ base: new URL(base), dataset, key });
}

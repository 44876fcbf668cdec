/**
 * The path of a file through the page, from host to engine, with faults at every step.
 * @module
 */

import type { DecodeParquet } from "../../../engine/contract/ports.ts";
import { type Dataset, type DatasetOptions, openDataset } from "../../../engine/dataset.ts";
import { httpSource } from "../../http/http-source.ts";
import type { AreaCalls } from "../protocol/area-calls.ts";
import type { RemoteHandlers } from "../protocol/protocol.ts";
import { areaHandlers } from "../saved-areas/area-handlers.ts";
import { createReleaseKeeper, type ReleaseKeeper } from "../saved-areas/release-keeper.ts";
import type { PlanArea } from "../saved-areas/save-area.ts";
import { type DatasetStorage, type NetworkOptions, openDatasetStorage } from "../storage/dataset-storage.ts";
import { outageAware } from "../workers/outage.ts";
import { type FaultyHost, faultyHost } from "./faulty-host.ts";

/** Long compared with the timeouts of tests, but short to wait for. */
const STALL_MS = 40;

export interface Tab {
  readonly base: string;
  readonly dataset: Dataset;
  readonly kept: DatasetStorage;
  readonly areas: Pick<RemoteHandlers, keyof AreaCalls>;
  readonly releases: ReleaseKeeper;
}

type OpenOptions = Pick<DatasetOptions, "cacheBytes">;

export interface FaultyField {
  /** URL of the dataset folder. */
  readonly base: string;
  readonly host: FaultyHost;
  onDecode: () => void;
  /** Opens the dataset as in a new page. */
  open(options?: OpenOptions): Dataset;
  /** The same, with all that its worker does. */
  openTab(options?: OpenOptions): Tab;
  heal(): void;
}

export interface FieldOptions {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Left out if nothing is decoded. */
  readonly decode?: DecodeParquet;
  /** Computes what areas need; default: the engine. */
  readonly plan?: PlanArea;
}

/** Each field has its own folder, so that tabs of an earlier test cannot affect it. */
let fields = 0;
const nothing = () => {};

/** Returns a host with these files and its readers. Tabs share the globals `caches`, `indexedDB` and `navigator`. */
export function faultyField(options: FieldOptions): FaultyField {
  const { files, decode, plan } = options;
  fields++;
  const base = `https://host.example/${fields}/`;
  const folder = new URL(base);
  const host = faultyHost(base, files);
  const over = (retryDelaysMs: readonly number[], network: NetworkOptions) =>
    httpSource(base, { ...network, fetch: host.fetch, retryDelaysMs, stallMs: STALL_MS });

  const field: FaultyField = {
    base,
    host,
    onDecode: nothing,
    open: (openOptions) => field.openTab(openOptions).dataset,
    openTab(openOptions) {
      const connect = (network: NetworkOptions) =>
        outageAware({ patient: over([0, 0], network), hasty: over([], network) });
      const kept = openDatasetStorage(folder, connect, { keepAfterMs: 0 });
      const dataset = openDataset({
        source: kept.source,
        keptManifests: kept.manifests,
        decode(bytes) {
          field.onDecode();
          if (!decode) throw new Error("decoding was not expected: pass `decode`");
          return decode(bytes);
        },
        ...openOptions,
      });
      return {
        base,
        dataset,
        kept,
        areas: areaHandlers(async () => kept, plan),
        releases: createReleaseKeeper(folder, kept),
      };
    },
    heal() {
      host.heal();
      field.onDecode = nothing;
    },
  };
  return field;
}

/** What the browser keeps of a dataset: files seen, files of saved areas, and what is written down of both. @module */
import type { Manifest } from "../../../../data/format/manifest.ts";
import type { ByteSource } from "../../../engine/index.ts";
import { createPackMemory, type HttpSourceOptions } from "../../http/index.ts";
import { KEEP_AFTER_MS } from "../cache/index.ts";
import type { Origin } from "../protocol/index.ts";
import { type AreaLocks, areaLocks } from "./area-locks.ts";
import { type AreaStore, pinnedNames, savedManifests } from "./area-store.ts";
import { cacheFiles, type FileCache } from "./cache-files.ts";
import { cacheSource } from "./cache-source.ts";
import { createUseKeeper, type UseKeeper } from "./cache-uses.ts";
import { openBrowserStore } from "./database.ts";
import { type KeptSlices, keptSlices } from "./kept-slices.ts";
import { within } from "./stores.ts";
import { writeLater } from "./write-later.ts";

/** Some thousand partitions: every place that a person looked at in a month. */
const SEEN_CAP_BYTES = 256 * 1024 * 1024;
/** Of what the browser grants the page, areas are to have the most. */
const SEEN_SHARE = 0.2;
/** A search without a network waits so long for what a saved area may add, and then says what it lacks. */
const MANIFESTS_WITHIN_MS = 3000;

/** What sources of the network are to be made with, so that the browser's cache leaves to ours what ours keeps. */
export type NetworkOptions = Required<Pick<HttpSourceOptions, "packs" | "rangeCache">>;

export interface KeptDataset {
  readonly source: ByteSource;
  readonly network: ByteSource;
  /** With what is about to be kept. */
  readonly files: FileCache;
  /** What the disk has: a saved area may promise no more. */
  readonly stored: FileCache;
  readonly areas: AreaStore;
  readonly locks: AreaLocks;
  readonly seen: UseKeeper;
  readonly slices: KeptSlices;
  /** Where each file was when it was last read, by its path; and each range, by path, `@` and first byte. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Releases of saved areas, the one saved last first. A search waits for them: none while they cannot be read. */
  manifests(): Promise<readonly Manifest[]>;
}

/** The dataset in this folder; the source that `connect` makes fetches its files. What came is kept `keepAfterMs` later. */
export function keepDataset(
  folder: URL,
  connect: (options: NetworkOptions) => ByteSource,
  keepAfterMs = KEEP_AFTER_MS,
): KeptDataset {
  const stored = cacheFiles(folder);
  const files = writeLater(stored, keepAfterMs);
  const slices = keptSlices(files);
  const { areas, uses } = openBrowserStore(folder);
  const locks = areaLocks(folder);
  const seen = createUseKeeper({
    log: uses,
    remove: slices.remove,
    pinned: () => pinnedNames(areas, files.names),
    alone: locks.alone,
    capBytes: async () => {
      const { quota = Number.POSITIVE_INFINITY } = await storageEstimate();
      return Math.min(SEEN_CAP_BYTES, quota * SEEN_SHARE);
    },
  });
  const manifests = () => within(MANIFESTS_WITHIN_MS, savedManifests(areas), "answer").catch(() => []);
  const origins = new Map<string, Origin>();
  const network = connect({
    packs: createPackMemory({ onWhole: (path, bytes) => source.keepWhole(path, bytes) }),
    rangeCache: "caches" in globalThis ? "no-store" : "default",
  });
  const source = cacheSource({
    inner: network,
    files,
    slices,
    onUse({ path, range, from, kept }) {
      origins.set(path, from);
      origins.set(`${path}@${range.start}`, from);
      if (kept) seen.note(kept.name, kept.bytes);
    },
    makeRoom: () => seen.evict(0),
    async savedManifest() {
      const [manifest] = await manifests();
      return manifest && new TextEncoder().encode(JSON.stringify(manifest));
    },
  });
  return { source, network, files, stored, slices, areas, locks, seen, origins, manifests };
}

/** Empty where the browser does not tell: WebKitGTK has no `navigator.storage`, Safari before 17 no `estimate`. */
export async function storageEstimate(): Promise<StorageEstimate> {
  const { storage } = globalThis.navigator ?? {};
  return (await storage?.estimate?.().catch(() => undefined)) ?? {};
}

/** What the browser stores of a dataset: cached files, files of saved areas, and the records about both. @module */
import type { Manifest } from "../../../../data/format/manifest.ts";
import { writeManifestFile } from "../../../../data/format/manifest-file.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import type { SignatureFacts } from "../../../../data/format/signature.ts";
import type { ByteSource, ReadOptions } from "../../../engine/index.ts";
import { createPackMemory, type HttpSourceOptions } from "../../http/index.ts";
import { KEEP_AFTER_MS } from "../cache/index.ts";
import type { Origin } from "../protocol/index.ts";
import { type AreaLocks, areaLocks } from "./area-locks.ts";
import { type AreaStore, pinnedNames, savedManifests } from "./area-store.ts";
import { cacheFiles, type FileCache } from "./cache-files.ts";
import { cacheSource } from "./cache-source.ts";
import { createUseKeeper, type UseKeeper } from "./cache-uses.ts";
import { type CachedSlices, cachedSlices } from "./cached-slices.ts";
import { openBrowserStore } from "./database.ts";
import { within } from "./stores.ts";
import { writeLater } from "./write-later.ts";

/**
 * Maximum bytes of cached files that belong to no saved area: about a thousand partitions, as many as a person views in a month.
 */
const SEEN_CAP_BYTES = 256 * 1024 * 1024;
/** Maximum share of the browser's quota for these files. Saved areas get the rest. */
const SEEN_SHARE = 0.2;
/** How long an offline search waits for saved areas before it reports what it lacks, in milliseconds. */
const MANIFESTS_WITHIN_MS = 3000;

/** Options for sources of the network, with which the browser's own cache does not store what this cache stores. */
export type NetworkOptions = Required<Pick<HttpSourceOptions, "packs" | "rangeCache">>;

/** Pinned keys: only releases that one of them signed are read. */
export interface Pin {
  /**
   * Reads the manifest of the source. Throws `SignatureError` if no pinned key signed it, or if this browser has accepted
   * a later release.
   */
  readManifest(source: ByteSource, options: ReadOptions | undefined): Promise<Uint8Array>;
  /** Returns who signed a release that was accepted before; undefined for any other release. */
  factsOf(manifest: Pick<Manifest, "sha256">): Promise<SignatureFacts | undefined>;
  /**
   * Rejects unless the release was accepted before, or `source` has its signature. The release may be older than the last
   * accepted one.
   */
  vouch(manifest: Manifest, source: ByteSource): Promise<void>;
}

interface KeepOptions {
  readonly keepAfterMs?: number | undefined;
  /** Checks the host's manifest. Stored releases that it has not accepted are not used. */
  readonly pin?: (() => Promise<Pin>) | undefined;
}

export interface DatasetStorage {
  readonly source: ByteSource;
  readonly network: ByteSource;
  /** Cached files, with those that are about to be written. */
  readonly files: FileCache;
  /** Cached files on disk only: a saved area may rely on no others. */
  readonly stored: FileCache;
  readonly areas: AreaStore;
  readonly locks: AreaLocks;
  readonly seen: UseKeeper;
  readonly slices: CachedSlices;
  /** Where each file, and each range of it, was last read from. Keys: the path, or the path, `@` and the first byte. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Returns the manifests of saved areas, the last saved first; empty when they cannot be read. A search waits for them. */
  manifests(): Promise<readonly Manifest[]>;
  /** Rejects with `SignatureError` if keys are pinned and none of them signed this release. */
  vouch(manifest: Manifest): Promise<void>;
}

/**
 * Opens what is stored of the dataset in this folder. `connect` returns the source that fetches its files. Responses are stored
 * `keepAfterMs` milliseconds after they arrive.
 */
export function openDatasetStorage(
  folder: URL,
  connect: (options: NetworkOptions) => ByteSource,
  { keepAfterMs = KEEP_AFTER_MS, pin }: KeepOptions = {},
): DatasetStorage {
  const accepts = async (manifest: Manifest) => !pin || (await (await pin()).factsOf(manifest)) !== undefined;
  const stored = cacheFiles(folder);
  const files = writeLater(stored, keepAfterMs);
  const slices = cachedSlices(files);
  const { areas, uses } = openBrowserStore(folder);
  const locks = areaLocks(folder);
  const seen = createUseKeeper({
    log: uses,
    remove: slices.remove,
    async list() {
      const names = await files.names();
      return {
        all: names.filter((name) => name !== MANIFEST_PATH),
        pinned: await pinnedNames(areas, async () => names),
      };
    },
    alone: locks.alone,
    capBytes: async () => {
      const { quota = Number.POSITIVE_INFINITY } = await storageEstimate();
      return Math.min(SEEN_CAP_BYTES, quota * SEEN_SHARE);
    },
  });
  const manifests = async () => {
    const saved = await within(MANIFESTS_WITHIN_MS, savedManifests(areas), "answer").catch(() => []);
    const isAccepted = await Promise.all(saved.map(accepts));
    return saved.filter((_, index) => isAccepted[index]);
  };
  const origins = new Map<string, Origin>();
  const host = connect({
    packs: createPackMemory({ onWhole: (path, bytes) => source.keepWhole(path, bytes) }),
    rangeCache: "caches" in globalThis ? "no-store" : "default",
  });
  const network = pin ? pinnedSource(host, pin) : host;
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
    accepts,
    async savedManifest() {
      const [manifest] = await manifests();
      return manifest && writeManifestFile(manifest);
    },
  });
  const vouch = async (manifest: Manifest) => pin && (await pin()).vouch(manifest, host);
  return { source, network, files, stored, slices, areas, locks, seen, origins, manifests, vouch };
}

/** Returns the source, limited to manifests that the pin accepts. Reading another manifest rejects with `SignatureError`. */
export function pinnedSource(host: ByteSource, pin: () => Promise<Pin>): ByteSource {
  return {
    ...host,
    read: async (path, options) =>
      path === MANIFEST_PATH ? (await pin()).readManifest(host, options) : host.read(path, options),
  };
}

/** Returns how much storage the site uses and may use, in bytes. Empty where the browser does not say it. */
export async function storageEstimate(): Promise<StorageEstimate> {
  const { storage } = globalThis.navigator ?? {};
  return (await storage?.estimate?.().catch(() => undefined)) ?? {};
}

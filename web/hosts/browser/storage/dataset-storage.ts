/** The stored data of a dataset: cached files, files of saved areas, and the records about both. @module */
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

/** About a thousand partitions: all the areas that a person views in a month. */
const SEEN_CAP_BYTES = 256 * 1024 * 1024;
/** Saved areas get most of the quota. */
const SEEN_SHARE = 0.2;
/** An offline search waits this long for saved areas, and then reports what it lacks. */
const MANIFESTS_WITHIN_MS = 3000;

/** Options for network sources, so that the browser's HTTP cache does not store what ours stores. */
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
  /** Throws unless the release was accepted before, or `source` has its signature. It may be an older one. */
  vouch(manifest: Manifest, source: ByteSource): Promise<void>;
}

interface KeepOptions {
  readonly keepAfterMs?: number | undefined;
  /** Checks the manifest of the host. Stored releases that it does not know are not used. */
  readonly pin?: (() => Promise<Pin>) | undefined;
}

export interface DatasetStorage {
  readonly source: ByteSource;
  readonly network: ByteSource;
  /** Includes files about to be written. */
  readonly files: FileCache;
  /** Only files on disk: a saved area may rely on no others. */
  readonly stored: FileCache;
  readonly areas: AreaStore;
  readonly locks: AreaLocks;
  readonly seen: UseKeeper;
  readonly slices: CachedSlices;
  /** Where each file was last read from, by path, and each range, by path, `@` and first byte. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Manifests of saved areas, latest first. A search waits for them; empty when they cannot be read. */
  manifests(): Promise<readonly Manifest[]>;
  /** Throws `SignatureError` if a key is pinned that did not sign this release. */
  vouch(manifest: Manifest): Promise<void>;
}

/**
 * Opens the dataset in this folder. The source from `connect` fetches its files. Responses are stored `keepAfterMs`
 * later.
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

/** Returns the source with the manifests that the pin accepts. Reading another manifest throws `SignatureError`. */
export function pinnedSource(host: ByteSource, pin: () => Promise<Pin>): ByteSource {
  return {
    ...host,
    read: async (path, options) =>
      path === MANIFEST_PATH ? (await pin()).readManifest(host, options) : host.read(path, options),
  };
}

/**
 * Returns an empty estimate where unsupported: WebKitGTK has no `navigator.storage`, Safari before 17 no `estimate`.
 */
export async function storageEstimate(): Promise<StorageEstimate> {
  const { storage } = globalThis.navigator ?? {};
  return (await storage?.estimate?.().catch(() => undefined)) ?? {};
}

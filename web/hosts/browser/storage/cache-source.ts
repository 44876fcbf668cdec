/**
 * Reads files of a dataset through the cache: the last manifest seen, and ranges of all other files, which never change. @module
 */
import type { Manifest } from "../../../../data/format/manifest.ts";
import { readManifestFile } from "../../../../data/format/manifest-file.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import { type ByteRange, type ByteSource, FetchError, type ReadOptions } from "../../../engine/index.ts";
import { isQuotaError } from "../cache/index.ts";
import type { Origin } from "../protocol/index.ts";
import type { FileCache } from "./cache-files.ts";
import { cacheNameOf } from "./cached-names.ts";
import { type CachedSlices, type FoundRange, isRight, type WantedRange } from "./cached-slices.ts";

export interface FileRead {
  readonly path: string;
  readonly range: ByteRange;
  readonly from: Origin;
  /** The cached file that contains the range, now or soon, with its size; undefined if it is not recorded here. */
  readonly kept?: { readonly name: string; readonly bytes: number };
}

export interface CacheSourceOptions {
  readonly inner: ByteSource;
  readonly files: FileCache;
  readonly slices: CachedSlices;
  readonly onUse?: (read: FileRead) => void;
  readonly makeRoom?: () => Promise<void>;
  /** Returns whether the cached manifest may be used. Default: yes. */
  readonly accepts?: ((manifest: Manifest) => Promise<boolean>) | undefined;
  /** Returns a manifest for when neither the network nor the cache has one. Must not reject. */
  readonly savedManifest?: () => Promise<Uint8Array | undefined>;
}

export interface CacheSource extends ByteSource {
  /** Stores a pack that was fetched whole. It then answers all ranges of the pack. */
  keepWhole(path: string, bytes: Uint8Array): void;
}

/**
 * Returns a source that reads through the cache. It stores only ranges that can be checked, and no failures. It deletes damaged
 * cached files.
 */
export function cacheSource(options: CacheSourceOptions): CacheSource {
  const { inner, files, slices, onUse = () => {}, makeRoom = async () => {}, savedManifest } = options;
  const { accepts = async () => true } = options;

  /** Stores bytes. Readers do not wait for it: a full disk must not stop a search. */
  function keep(name: string, bytes: Uint8Array): void {
    // copied, because the engine may transfer its buffer
    const copy = bytes.slice();
    const write = () => slices.write(name, copy);
    write()
      .catch((error: unknown) => (isQuotaError(error) ? makeRoom().then(write) : undefined))
      .catch(() => {});
  }

  async function readKeptManifest(path: string): Promise<Uint8Array | undefined> {
    const kept = await files.read(path);
    const manifest = kept && (await manifestIn(kept.bytes));
    return manifest && (await accepts(manifest)) ? kept.bytes : undefined;
  }

  async function readManifest(path: string, options: ReadOptions): Promise<Uint8Array> {
    try {
      const bytes = await inner.read(path, options);
      // a login page must not replace the manifest for offline use
      if (await (options.isSound?.(bytes) ?? manifestIn(bytes))) keep(path, bytes);
      return bytes;
    } catch (error) {
      // An error status from the host is final.
      const kept = isOffline(error) ? ((await readKeptManifest(path)) ?? (await savedManifest?.())) : undefined;
      if (kept) return kept;
      throw error;
    }
  }

  async function fetchRange(wanted: WantedRange, options: ReadOptions): Promise<Uint8Array | FoundRange> {
    const { path } = wanted;
    try {
      return await inner.read(path, options);
    } catch (error) {
      // Some hosts send long cache lifetimes with 404 pages, and the browser stores those.
      if (error instanceof FetchError && error.status === 404) return inner.read(path, { ...options, fresh: true });
      const found = isOffline(error) && (await slices.findAgain(wanted));
      if (found) return found;
      throw error;
    }
  }

  async function readRange(path: string, range: ByteRange, options: ReadOptions): Promise<Uint8Array> {
    const { sha256, within, isSound, signal, fresh = false } = options;
    const wanted: WantedRange = { path, ...range, sha256, within, isSound };
    const kept = fresh ? undefined : await slices.find(wanted);
    signal?.throwIfAborted();
    const read = kept ?? (await fetchRange(wanted, options));
    if (!(read instanceof Uint8Array)) {
      onUse({ path, range, from: "cache", kept: { name: read.name, bytes: read.sizeBytes } });
      return read.bytes;
    }
    if (await isRight(read, wanted)) {
      const isHeld = slices.isHeld(wanted);
      const name = cacheNameOf({ path, ...range, sha256 });
      onUse({ path, range, from: "network", ...(isHeld ? {} : { kept: { name, bytes: read.byteLength } }) });
      if (!isHeld) keep(name, read);
    }
    return read;
  }

  return {
    ...inner,
    async read(path, options = {}) {
      if (path === MANIFEST_PATH) return readManifest(path, options);
      return options.range ? readRange(path, options.range, options) : inner.read(path, options);
    },
    keepWhole(path, bytes) {
      const range = { start: 0, end: bytes.byteLength };
      onUse({ path, range, from: "network", kept: { name: path, bytes: bytes.byteLength } });
      keep(path, bytes);
    },
  };
}

function isOffline(error: unknown): boolean {
  return error instanceof FetchError && error.isUnanswered;
}

async function manifestIn(bytes: Uint8Array): Promise<Manifest | undefined> {
  return readManifestFile(bytes).catch(() => undefined);
}

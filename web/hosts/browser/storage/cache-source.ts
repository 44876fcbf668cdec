/**
 * Files of the dataset through the cache: the manifest as it was last seen, all others for good, since their names carry
 * their hash.
 * @module
 */
import { parseManifest } from "../../../../data/format/manifest.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import { sha256Of } from "../../../../data/format/sha256.ts";
import { type ByteSource, FetchError, type ReadOptions } from "../../../engine/index.ts";
import { isQuotaError } from "../cache/index.ts";
import type { Origin } from "../protocol/index.ts";
import type { FileCache } from "./cache-files.ts";

export interface CacheSourceOptions {
  /** Where files come from that the cache does not hold. */
  readonly inner: ByteSource;
  readonly files: FileCache;
  /** Hears of every file but the manifest that was read, from the cache or into it. */
  readonly onUse?: (path: string, bytes: number, from: Origin) => void;
  /** Makes room when the cache is full. */
  readonly makeRoom?: () => Promise<void>;
  /** A manifest for when neither the network nor the cache has one. Does not throw. */
  readonly savedManifest?: () => Promise<Uint8Array | undefined>;
}

/** Reads through the cache. Only what came whole is kept; failures are not, and what is found damaged leaves. */
export function cacheSource(options: CacheSourceOptions): ByteSource {
  const { inner, files, onUse = () => {}, makeRoom = async () => {}, savedManifest } = options;

  /** Not awaited by readers: a full disk must not stop a search. */
  function keep(path: string, bytes: Uint8Array): void {
    // copied, since the engine may hand its buffer on
    const copy = bytes.slice();
    const write = () => files.write(path, copy);
    write()
      .catch((error: unknown) => (isQuotaError(error) ? makeRoom().then(write) : undefined))
      .catch(() => {});
  }

  async function readKeptManifest(path: string): Promise<Uint8Array | undefined> {
    const bytes = await files.read(path);
    return bytes && isManifest(bytes) ? bytes : undefined;
  }

  async function readManifest(path: string, options: ReadOptions): Promise<Uint8Array> {
    try {
      const bytes = await inner.read(path, options);
      // The page of a network that wants a log-in must not take the place of what serves without a network.
      // It is no use of the dataset either: what was seen leaves by its age, and is nothing without its manifest.
      if (isManifest(bytes)) keep(path, bytes);
      return bytes;
    } catch (error) {
      // A host that answers with an error is believed.
      const isOffline = error instanceof FetchError && error.isUnanswered;
      const kept = isOffline ? ((await readKeptManifest(path)) ?? (await savedManifest?.())) : undefined;
      if (kept) return kept;
      throw error;
    }
  }

  return {
    name: inner.name,
    async read(path, options = {}) {
      if (path === MANIFEST_PATH) return readManifest(path, options);
      const kept = await files.read(path);
      options.signal?.throwIfAborted();
      if (kept) {
        const isKeptWhole = await isWhole(path, kept, options.bytes);
        if (isKeptWhole && !options.fresh) {
          onUse(path, kept.byteLength, "cache");
          return kept;
        }
        if (!isKeptWhole) await files.remove(path).catch(() => {});
      }
      const bytes = await inner.read(path, options).catch((error: unknown) => {
        // Hosts that give every file a long life give it to their 404 pages too, and the browser keeps those.
        if (error instanceof FetchError && error.status === 404) return inner.read(path, { ...options, fresh: true });
        throw error;
      });
      if (await isWhole(path, bytes, options.bytes)) {
        onUse(path, bytes.byteLength, "network");
        keep(path, bytes);
      }
      return bytes;
    },
  };
}

function isManifest(bytes: Uint8Array): boolean {
  try {
    parseManifest(JSON.parse(new TextDecoder().decode(bytes)));
    return true;
  } catch {
    return false;
  }
}

/** Whether the bytes are those that the path promises: its last part begins with the head of their SHA-256. */
export async function isWhole(path: string, bytes: Uint8Array, length: number | undefined): Promise<boolean> {
  if (length !== undefined && bytes.byteLength !== length) return false;
  const promised = /([0-9a-f]{16})\.\w+$/.exec(path)?.[1];
  return promised !== undefined && (await sha256Of(bytes)).startsWith(promised);
}

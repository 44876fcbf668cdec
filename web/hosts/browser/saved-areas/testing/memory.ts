/**
 * A device without a browser: cache, records and network in memory.
 * @module
 */
import { FetchError } from "../../../../engine/contract/errors.ts";
import type { ByteSource } from "../../../../engine/contract/ports.ts";
import type { Area } from "../../protocol/area-calls.ts";
import { areaLocks } from "../../storage/area-locks.ts";
import type { AreaFiles, AreaStore, Part } from "../../storage/area-store.ts";
import type { FileCache } from "../../storage/cache-files.ts";
import { cacheSource } from "../../storage/cache-source.ts";
import { cachedSlices } from "../../storage/cached-slices.ts";
import type { DatasetStorage } from "../../storage/dataset-storage.ts";
import { writeLater } from "../../storage/write-later.ts";
import { planMadeUp } from "../../testing/made-up-release.ts";
import type { SaveContext } from "../save-area.ts";

const AN_HOUR_MS = 3_600_000;

export interface MemoryDevice {
  readonly context: SaveContext;
  readonly kept: Map<string, Uint8Array>;
  /** Requests in order: paths, and ranges by their names in the cache. */
  readonly asked: string[];
  host: ReadonlyMap<string, Uint8Array>;
  isOnline: boolean;
  /** Capacity of the disk. */
  quotaBytes: number;
  onRead: (path: string) => void;
}

/** Returns a device whose network is a host with these files. */
export function memoryDevice(host: ReadonlyMap<string, Uint8Array>): MemoryDevice {
  const kept = new Map<string, Uint8Array>();
  const usedBytes = () => [...kept.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  const files: FileCache = {
    async read(name, part) {
      const bytes = kept.get(name);
      return bytes && { bytes: bytes.slice(part?.start, part?.end), sizeBytes: bytes.byteLength };
    },
    async write(path, bytes) {
      if (usedBytes() + bytes.byteLength > device.quotaBytes) throw new DOMException("full", "QuotaExceededError");
      kept.set(path, bytes);
    },
    remove: async (path) => void kept.delete(path),
    names: async () => [...kept.keys()],
  };
  const network: ByteSource = {
    name: "network",
    async read(path, { range, signal } = {}) {
      device.onRead(path);
      signal?.throwIfAborted();
      if (!device.isOnline) throw new FetchError(`${path}: no network`, { path, cause: new TypeError("offline") });
      device.asked.push(range ? `${path}?${range.start}-${range.end}` : path);
      const bytes = device.host.get(path);
      if (!bytes) throw new FetchError(`${path} is not on the host`, { path, status: 404 });
      return bytes.slice(range?.start, range?.end);
    },
  };
  const device: MemoryDevice = {
    context: {
      plan: planMadeUp,
      store: memoryStore(),
      locks: areaLocks(new URL("https://host.example/")),
      files,
      network,
      source: cacheSource({ inner: network, files, slices: cachedSlices(files) }),
      makeRoom: async () => {},
      freeBytes: async () => device.quotaBytes - usedBytes(),
    },
    kept,
    asked: [],
    host,
    isOnline: true,
    quotaBytes: Number.POSITIVE_INFINITY,
    onRead: () => {},
  };
  return device;
}

/** A dataset on the device. Writes to the disk are late. `vouch` refuses releases. */
export function storageOn({ context }: MemoryDevice, vouch: DatasetStorage["vouch"] = async () => {}): DatasetStorage {
  const { store: areas, locks, files: stored, source, network } = context;
  return {
    areas,
    locks,
    stored,
    files: writeLater(stored, AN_HOUR_MS),
    slices: cachedSlices(stored),
    source,
    network,
    seen: { note: () => {}, seenBytes: async () => 0, evict: async () => {} },
    origins: new Map(),
    manifests: async () => [],
    vouch,
  };
}

function memoryStore(): AreaStore {
  const areas = new Map<string, Area>();
  const lists = new Map<string, AreaFiles>();
  const keyOf = (id: string, part: string) => `${id} ${part}`;
  return {
    areas: async () => [...areas.values()],
    area: async (id) => areas.get(id),
    files: async (id: string, part: Part) => lists.get(keyOf(id, part)),
    async write(area, parts = {}) {
      areas.set(area.id, area);
      for (const [part, value] of Object.entries(parts)) {
        if (value) lists.set(keyOf(area.id, part), value);
        else lists.delete(keyOf(area.id, part));
      }
    },
    async remove(id) {
      areas.delete(id);
      for (const part of ["saved", "next"]) lists.delete(keyOf(id, part));
    },
  };
}

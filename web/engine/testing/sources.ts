/**
 * Sources for tests.
 * @module
 */
import { FetchError } from "../contract/errors.ts";
import type { ByteSource, ReadOptions } from "../contract/ports.ts";

/** Returns the files as a source that fulfils the contract of the interface. */
export function memorySource(files: Pick<ReadonlyMap<string, Uint8Array>, "get">): ByteSource {
  return {
    name: "memory",
    async read(path, { signal, range } = {}) {
      signal?.throwIfAborted();
      const bytes = files.get(path);
      if (!bytes) throw new FetchError(`${path} is not in memory`, { path, status: 404 });
      if (!range) return bytes;
      if (range.end > bytes.length)
        throw new FetchError(`${path} ends before byte ${range.end}`, { path, status: 416 });
      return bytes.subarray(range.start, range.end);
    },
  };
}

export interface CountingSource extends ByteSource {
  readonly requests: {
    readonly path: string;
    readonly offset: number;
    readonly bytes: number;
    readonly fresh: boolean;
  }[];
  /** Batches of requests that did not wait for each other. */
  roundTrips: number;
  /** Resets the counters. */
  reset(): void;
}

/** Counts requests, bytes, and batches that waited for an earlier answer. */
export function countingSource(inner: ByteSource): CountingSource {
  let underWay = 0;
  const source: CountingSource = {
    name: inner.name,
    requests: [],
    roundTrips: 0,
    reset() {
      source.requests.length = 0;
      source.roundTrips = 0;
    },
    async read(path: string, options?: ReadOptions) {
      if (underWay === 0) source.roundTrips++;
      underWay++;
      try {
        // like a network: answers only after all parallel requests have started
        await new Promise((resolve) => setTimeout(resolve));
        const bytes = await inner.read(path, options);
        const offset = options?.range?.start ?? 0;
        source.requests.push({ path, offset, bytes: bytes.length, fresh: options?.fresh ?? false });
        return bytes;
      } finally {
        underWay--;
      }
    },
  };
  return source;
}

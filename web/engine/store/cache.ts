/**
 * A cache of entries in memory. It evicts the least recently used first.
 * @module
 */
import { createMemo, type Memo } from "../tasks/memo.ts";

/** Where an entry came from: memory, or the source. */
export type From = "memory" | "source";

/** An entry with its size. */
interface Held {
  /** In bytes: a partition grows while it is searched. */
  readonly weigh: () => number;
  readonly drop: () => void;
}

interface Entry extends Held {
  sizeBytes: number;
  leases: number;
}

/** The entries that one search uses. The cache evicts them only after `end`. */
export interface Lease {
  /** Adds the entry to those in use. */
  hold(entry: Entry): void;
  end(): void;
}

/** Entries of one kind by a key derived from their content, so that an entry never changes. */
export interface CacheSection<V> {
  /** Returns the entry and where it came from. Calls `load` when it is not in memory. It stays until `lease` ends. */
  read(
    lease: Lease,
    key: string,
    load: (signal: AbortSignal) => Promise<V>,
    signal?: AbortSignal,
  ): Promise<{ readonly value: V; readonly from: From }>;
  /** Returns the entry if it is in memory, and keeps it until `lease` ends. */
  peek(lease: Lease, key: string): V | undefined;
  has(key: string): boolean;
}

export interface Cache {
  lease(): Lease;
  /** Adds a section for entries of one kind. `weigh` returns their size in bytes. */
  section<V>(weigh: (value: V) => number): CacheSection<V>;
  /** Bytes in memory. */
  heldBytes(): number;
}

/** Creates a cache of up to `maxBytes`. Entries in use can exceed it. */
export function createCache(maxBytes: number): Cache {
  // of all sections, the least recently used first
  const entries = new Map<string, Entry>();
  let sizeBytes = 0;
  let sections = 0;

  function touch(name: string, held: Held): Entry {
    const known = entries.get(name);
    const entry = known ?? { ...held, sizeBytes: 0, leases: 0 };
    entries.delete(name);
    entries.set(name, entry);
    if (!known) weigh(entry);
    return entry;
  }

  function weigh(entry: Entry): void {
    sizeBytes -= entry.sizeBytes;
    entry.sizeBytes = entry.weigh();
    sizeBytes += entry.sizeBytes;
  }

  function evict(): void {
    for (const [name, entry] of entries) {
      if (sizeBytes <= maxBytes) return;
      if (entry.leases > 0) continue;
      entries.delete(name);
      sizeBytes -= entry.sizeBytes;
      entry.drop();
    }
  }

  return {
    heldBytes: () => sizeBytes,
    lease() {
      const mine = new Set<Entry>();
      let hasEnded = false;
      return {
        hold(entry) {
          // It arrived after the search had ended, so no search would release it.
          if (hasEnded) evict();
          if (hasEnded || mine.has(entry)) return;
          mine.add(entry);
          entry.leases++;
        },
        end() {
          hasEnded = true;
          for (const entry of mine) {
            weigh(entry);
            entry.leases--;
          }
          mine.clear();
          evict();
        },
      };
    },
    section<V>(weighValue: (value: V) => number): CacheSection<V> {
      const memo: Memo<V> = createMemo();
      const own = `${sections++} `;
      const hold = (lease: Lease, key: string, value: V): V => {
        lease.hold(touch(own + key, { weigh: () => weighValue(value), drop: () => memo.delete(key) }));
        return value;
      };
      return {
        async read(lease, key, load, signal) {
          const from = memo.peek(key) === undefined ? "source" : "memory";
          return { value: hold(lease, key, await memo.get(key, load, signal)), from };
        },
        peek(lease, key) {
          const value = memo.peek(key);
          return value === undefined ? undefined : hold(lease, key, value);
        },
        has: (key) => memo.peek(key) !== undefined,
      };
    },
  };
}

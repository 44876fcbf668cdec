/**
 * Records when each cached file was last used, to evict the least recently used first. Files of saved areas are never
 * evicted.
 * @module
 */

export interface Use {
  readonly path: string;
  readonly bytes: number;
  readonly usedAtMs: number;
}

export interface UseLog {
  uses(): Promise<readonly Use[]>;
  write(uses: readonly Use[]): Promise<void>;
  forget(paths: readonly string[]): Promise<void>;
}

export type UseKeeper = ReturnType<typeof createUseKeeper>;

interface UseKeeperOptions {
  readonly log: UseLog;
  readonly remove: (path: string) => Promise<void>;
  /** All cached files, and the ones that must stay. While they cannot be read nothing is removed. */
  readonly list: () => Promise<{ readonly all: readonly string[]; readonly pinned: ReadonlySet<string> }>;
  /** Runs while the files that must stay do not change. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly capBytes: () => Promise<number>;
  readonly nowMs?: () => number;
}

/** A search reads about ten slices; their uses are written together. */
const WRITE_AFTER_MS = 1000;

/**
 * A block of records is a file, and takes as long to list as a slice. This cost limits the cache to about 8,000
 * files.
 */
const LEAST_COST_BYTES = 32 * 1024;

/** Records uses, and evicts files when the cache exceeds its cap, a second after `note`. Failures are retried the next time. */
export function createUseKeeper(options: UseKeeperOptions) {
  const { log, remove, list, alone, capBytes, nowMs = Date.now } = options;
  let pending = new Map<string, Use>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = pending;
    pending = new Map();
    if (uses.size === 0) return;
    try {
      await log.write([...uses.values()]);
    } catch (error) {
      pending = new Map([...uses, ...pending]);
      throw error;
    }
  }

  /**
   * Files without a known use count as the oldest: a tab that ended early left them, or an area whose release is gone
   * from the host.
   */
  async function unpinned(): Promise<Use[]> {
    await write();
    const { all, pinned } = await list();
    const uses = await log.uses();
    const known = new Set(uses.map(({ path }) => path));
    const unknown = all.filter((path) => !known.has(path)).map((path) => ({ path, bytes: 0, usedAtMs: 0 }));
    return [...unknown, ...uses].filter(({ path }) => !pinned.has(path));
  }

  async function evict(maxBytes?: number): Promise<void> {
    const mostBytes = maxBytes ?? (await capBytes());
    await alone(async () => {
      const removed: string[] = [];
      try {
        await write();
        // listing the whole cache takes long
        if (maxBytes === undefined && leastRecent(await log.uses(), mostBytes).length === 0) return;
        for (const { path } of leastRecent(await unpinned(), mostBytes)) {
          await remove(path);
          removed.push(path);
        }
      } finally {
        if (removed.length > 0) await log.forget(removed);
      }
    });
  }

  return {
    note(path: string, bytes: number): void {
      pending.set(path, { path, bytes, usedAtMs: nowMs() });
      timer ??= setTimeout(() => void evict().catch(() => {}), WRITE_AFTER_MS);
    },
    /** Bytes of cached files that belong to no saved area. */
    seenBytes: async () => bytesOf(await unpinned()),
    /**
     * Removes files until the rest costs at most `maxBytes` (default: the cap). A small file costs more than its
     * bytes.
     */
    evict,
  };
}

/** Returns the uses to remove, least recent first, so that the rest fits in `maxBytes`. Each file counts as 32 KiB or more. */
export function leastRecent(uses: readonly Use[], maxBytes: number): readonly Use[] {
  let excessBytes = uses.reduce((sum, use) => sum + costOf(use), 0) - maxBytes;
  const leaving: Use[] = [];
  for (const use of uses.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (excessBytes <= 0) break;
    leaving.push(use);
    excessBytes -= costOf(use);
  }
  return leaving;
}

function bytesOf(uses: readonly Use[]): number {
  return uses.reduce((sum, { bytes }) => sum + bytes, 0);
}

function costOf({ bytes }: Use): number {
  return Math.max(bytes, LEAST_COST_BYTES);
}

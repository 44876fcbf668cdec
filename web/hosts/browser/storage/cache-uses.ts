/**
 * Notes when each cached file was last used, and deletes the least recently used ones first. Files of saved areas are never
 * deleted. @module
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
  /** Returns all cached files, and those that must stay. If it rejects, nothing is deleted. */
  readonly list: () => Promise<{ readonly all: readonly string[]; readonly pinned: ReadonlySet<string> }>;
  /** Runs the work while the files that must stay do not change. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly capBytes: () => Promise<number>;
  readonly nowMs?: () => number;
}

/** Delay before uses are written: a search reads about ten slices, and their uses are written together. */
const WRITE_AFTER_MS = 1000;

/** Minimum cost of a file, which limits the cache to about 8,000 files: a small one takes as long to list as a large one. */
const LEAST_COST_BYTES = 32 * 1024;

/**
 * Returns functions that note uses of files. A second after `note`, it writes them, and deletes files if the cache is above its
 * limit. A failure is tried again the next time.
 */
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

/**
 * Returns the uses of the files to delete, least recent first, so that the rest fits into `maxBytes`. Each file counts as at
 * least 32 KiB.
 */
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

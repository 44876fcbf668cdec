/** When each kept file was last used, so that the least recently used leave first. Files of saved areas never do. @module */

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

export interface UseKeeperOptions {
  readonly log: UseLog;
  readonly remove: (path: string) => Promise<void>;
  /** Paths that must stay. While they cannot be read nothing is removed. */
  readonly pinned: () => Promise<ReadonlySet<string>>;
  /** Runs while `pinned` cannot change. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly capBytes: () => Promise<number>;
  readonly nowMs?: () => number;
}

/** A search reads some ten slices: they are written down together. */
const WRITE_AFTER_MS = 1000;

/** A block of records has a file of its own on the disk, and takes as long to list as a slice: some 8,000 files are to be the most. */
const LEAST_COST_BYTES = 32 * 1024;

/** Counts uses, and evicts after those that made the cache larger than its cap; what fails is done the next time. */
export function createUseKeeper(options: UseKeeperOptions) {
  const { log, remove, pinned, alone, capBytes, nowMs = Date.now } = options;
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
      // a file of which no use is known would stay for ever
      pending = new Map([...uses, ...pending]);
      throw error;
    }
  }

  async function unpinned(): Promise<Use[]> {
    await write();
    const stay = await pinned();
    return (await log.uses()).filter(({ path }) => !stay.has(path));
  }

  async function evict(maxBytes?: number): Promise<void> {
    const mostBytes = maxBytes ?? (await capBytes());
    await alone(async () => {
      const removed: string[] = [];
      try {
        await write();
        // what is pinned takes a look at all that is kept
        if (leastRecent(await log.uses(), mostBytes).length === 0) return;
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
    /** Bytes of what was seen and belongs to no saved area. */
    seenBytes: async () => bytesOf(await unpinned()),
    /** Removes files until those seen cost at most so much; the cap when left out. A small one costs more than its bytes. */
    evict,
  };
}

/** The uses that must go, the least recent first, so that the others are at most so large. */
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

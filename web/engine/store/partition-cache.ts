/**
 * Partitions, their shapes and index pages in memory, the least recently used leaving first.
 * @module
 */
import type { Table } from "apache-arrow";
import type { IndexPage } from "../index-tree/files.ts";
import type { IndexPages, PartitionRef } from "../index-tree/tree.ts";
import { createMemo } from "../tasks/memo.ts";
import type { Partition, Shape } from "./partition.ts";
import { termIndexBytes } from "./partition-terms.ts";

/** Reads a file of a run whose rows are no features; it is not kept. */
export type ReadTable = (ref: PartitionRef, signal?: AbortSignal) => Promise<Table>;

/** Where something was: in memory already, or it was read. */
export type From = "memory" | "source";

/** What one search holds. It stays until the search ends. */
export interface Lease {
  /** A page that was got or seen here is held, whoever read it. */
  readonly pages: IndexPages;
  read(ref: PartitionRef, signal?: AbortSignal): Promise<{ partition: Partition; from: From }>;
  /** The shapes of a partition that has them. */
  readShape(ref: PartitionRef, signal?: AbortSignal): Promise<{ shape: Shape; from: From }>;
  /** Whether the partition is in memory. */
  isAtHand(ref: PartitionRef): boolean;
  end(): void;
}

export interface PartitionCache {
  lease(): Lease;
  /** Bytes in memory. */
  heldBytes(): number;
  /** The partitions in memory, the least recently used first. */
  held(): readonly Partition[];
}

/** A file in memory. */
interface Held {
  /** In bytes: a partition grows while it is searched. */
  readonly weigh: () => number;
  readonly drop: () => void;
}

interface Entry extends Held {
  sizeBytes: number;
  leases: number;
}

export interface PartitionCacheOptions {
  load(ref: PartitionRef, signal: AbortSignal): Promise<Partition>;
  loadShape(ref: PartitionRef, signal: AbortSignal): Promise<Shape>;
  /** Kept at most, in bytes; what is under lease may exceed it. */
  readonly maxBytes: number;
  /** Hears of each partition that leaves. */
  onEvict(partition: Partition): void;
}

/** An empty cache. All is known by the hash of its file: it never changes. */
export function createPartitionCache({ load, loadShape, maxBytes, onEvict }: PartitionCacheOptions): PartitionCache {
  const partitions = createMemo<Partition>();
  const shapes = createMemo<Shape>();
  const pages = createMemo<IndexPage>();
  // in the order of use, the least recent first
  const entries = new Map<string, Entry>();
  let sizeBytes = 0;

  function touch(key: string, held: Held): Entry {
    const known = entries.get(key);
    const entry = known ?? { ...held, sizeBytes: 0, leases: 0 };
    entries.delete(key);
    entries.set(key, entry);
    if (!known) weigh(entry);
    return entry;
  }

  function weigh(entry: Entry): void {
    sizeBytes -= entry.sizeBytes;
    entry.sizeBytes = entry.weigh();
    sizeBytes += entry.sizeBytes;
  }

  function evict(): void {
    for (const [key, entry] of entries) {
      if (sizeBytes <= maxBytes) return;
      if (entry.leases > 0) continue;
      entries.delete(key);
      sizeBytes -= entry.sizeBytes;
      entry.drop();
    }
  }

  return {
    heldBytes: () => sizeBytes,
    held: () => [...entries.keys()].flatMap((key) => partitions.peek(key) ?? []),
    lease() {
      const mine = new Set<Entry>();
      let hasEnded = false;
      const hold = (entry: Entry): void => {
        if (hasEnded || mine.has(entry)) return;
        mine.add(entry);
        entry.leases++;
      };
      const holdPage = (key: string, page: IndexPage): IndexPage => {
        hold(touch(key, { weigh: () => page.sizeBytes, drop: () => pages.delete(key) }));
        return page;
      };
      return {
        pages: {
          peek(key) {
            const page = pages.peek(key);
            return page && holdPage(key, page);
          },
          get: async (key, load, signal) => holdPage(key, await pages.get(key, load, signal)),
        },
        async read(ref, signal) {
          const key = ref.node.sha256;
          const from = partitions.peek(key) ? "memory" : "source";
          const partition = await partitions.get(key, (workSignal) => load(ref, workSignal), signal);
          const weigh = () => partition.sizeBytes + termIndexBytes(partition);
          const drop = () => {
            partitions.delete(key);
            onEvict(partition);
          };
          hold(touch(key, { weigh, drop }));
          return { partition, from };
        },
        async readShape(ref, signal) {
          const key = ref.node.shape?.sha256 ?? "";
          const from = shapes.peek(key) ? "memory" : "source";
          const shape = await shapes.get(key, (workSignal) => loadShape(ref, workSignal), signal);
          hold(touch(key, { weigh: () => shape.sizeBytes, drop: () => shapes.delete(key) }));
          return { shape, from };
        },
        isAtHand: ({ node }) => partitions.peek(node.sha256) !== undefined,
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
  };
}

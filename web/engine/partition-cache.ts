/**
 * Partitions and their shapes in memory, the least recently used leaving first.
 * @module
 */
import type { Table } from "apache-arrow";
import type { PartitionNode } from "../../data/format/manifest.ts";
import { createMemo } from "./memo.ts";
import type { Partition } from "./partition.ts";
import type { NodeRef } from "./plan.ts";
import type { Shape } from "./shape.ts";

export type PartitionRef = NodeRef<PartitionNode>;

/** Reads a file of a run whose rows are no features; it is not kept. */
export type ReadTable = (ref: PartitionRef, signal?: AbortSignal) => Promise<Table>;

/** Where something was: in memory already, or it was read. */
export type From = "memory" | "source";

/** What one search holds. It stays until the search ends. */
export interface Lease {
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
  readonly sizeBytes: number;
}

interface Entry {
  readonly held: Held;
  readonly drop: () => void;
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

/** An empty cache. Partitions and shapes are known by the hash of their file: they never change. */
export function createPartitionCache({ load, loadShape, maxBytes, onEvict }: PartitionCacheOptions): PartitionCache {
  const partitions = createMemo<Partition>();
  const shapes = createMemo<Shape>();
  // in the order of use, the least recent first
  const entries = new Map<string, Entry>();
  let sizeBytes = 0;

  function touch(key: string, held: Held, drop: () => void): Entry {
    const entry = entries.get(key) ?? { held, drop, leases: 0 };
    if (!entries.delete(key)) sizeBytes += held.sizeBytes;
    entries.set(key, entry);
    return entry;
  }

  function evict(): void {
    for (const [key, { held, drop, leases }] of entries) {
      if (sizeBytes <= maxBytes) return;
      if (leases > 0) continue;
      entries.delete(key);
      sizeBytes -= held.sizeBytes;
      drop();
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
      return {
        async read(ref, signal) {
          const key = ref.node.sha256;
          const from = partitions.peek(key) ? "memory" : "source";
          const partition = await partitions.get(key, (workSignal) => load(ref, workSignal), signal);
          const drop = () => {
            partitions.delete(key);
            onEvict(partition);
          };
          hold(touch(key, partition, drop));
          return { partition, from };
        },
        async readShape(ref, signal) {
          const key = ref.node.shape?.sha256 ?? "";
          const from = shapes.peek(key) ? "memory" : "source";
          const shape = await shapes.get(key, (workSignal) => loadShape(ref, workSignal), signal);
          hold(touch(key, shape, () => shapes.delete(key)));
          return { shape, from };
        },
        isAtHand: ({ node }) => partitions.peek(node.sha256) !== undefined,
        end() {
          hasEnded = true;
          for (const entry of mine) entry.leases--;
          mine.clear();
          evict();
        },
      };
    },
  };
}

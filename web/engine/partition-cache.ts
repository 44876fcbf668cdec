/**
 * Partitions in memory, the least recently used leaving first.
 * @module
 */
import type { PartitionNode } from "../../data/format/manifest.ts";
import { createMemo } from "./memo.ts";
import type { Partition } from "./partition.ts";
import type { NodeRef } from "./plan.ts";

export type PartitionRef = NodeRef<PartitionNode>;

/** What one search holds. Its partitions stay until it ends. */
export interface Lease {
  /** The partition, and whether it was in memory already. */
  read(ref: PartitionRef, signal?: AbortSignal): Promise<{ partition: Partition; from: "memory" | "source" }>;
  end(): void;
}

export interface PartitionCache {
  lease(): Lease;
}

interface Entry {
  readonly partition: Partition;
  leases: number;
}

export interface PartitionCacheOptions {
  load(ref: PartitionRef, signal: AbortSignal): Promise<Partition>;
  /** Kept at most, in bytes; partitions under lease may exceed it. */
  readonly maxBytes: number;
  /** Hears of each partition that leaves. */
  onEvict(partition: Partition): void;
}

/** An empty cache. Partitions are known by their hash: they never change. */
export function createPartitionCache({ load, maxBytes, onEvict }: PartitionCacheOptions): PartitionCache {
  const memo = createMemo<Partition>();
  // in the order of use, the least recent first
  const entries = new Map<string, Entry>();
  let sizeBytes = 0;

  function touch(partition: Partition): Entry {
    const key = partition.node.sha256;
    const entry = entries.get(key) ?? { partition, leases: 0 };
    if (!entries.delete(key)) sizeBytes += partition.sizeBytes;
    entries.set(key, entry);
    return entry;
  }

  function evict(): void {
    for (const [key, { partition, leases }] of entries) {
      if (sizeBytes <= maxBytes) return;
      if (leases > 0) continue;
      entries.delete(key);
      memo.delete(key);
      sizeBytes -= partition.sizeBytes;
      onEvict(partition);
    }
  }

  return {
    lease() {
      const held = new Set<Entry>();
      let hasEnded = false;
      return {
        async read(ref, signal) {
          const key = ref.node.sha256;
          const from = memo.peek(key) ? "memory" : "source";
          const partition = await memo.get(key, (workSignal) => load(ref, workSignal), signal);
          const entry = touch(partition);
          if (!hasEnded && !held.has(entry)) {
            held.add(entry);
            entry.leases++;
          }
          return { partition, from };
        },
        end() {
          hasEnded = true;
          for (const entry of held) entry.leases--;
          held.clear();
          evict();
        },
      };
    },
  };
}

/**
 * What one search reads of one release: pages, partitions, shapes. All of it stays in memory until the search ends.
 * @module
 */
import type { Table } from "apache-arrow";
import { MANIFEST_PATH, partitionPath, shapePath } from "../../../data/format/paths.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { FileUse } from "../contract/query.ts";
import type { ManifestFile } from "../index-tree/files.ts";
import { type Index, openIndex, type PartitionRef } from "../index-tree/tree.ts";
import type { Partition, Shape } from "./partition.ts";
import type { From, Lease, ReadTable } from "./partition-cache.ts";

type Phase = "plan" | "read" | "execute";

export interface Session extends Index {
  readonly signal: AbortSignal;
  /** The files that were needed so far, the manifest first. */
  readonly files: readonly FileUse[];
  /** Time taken so far, waiting included. */
  readonly milliseconds: Readonly<Record<Phase, number>>;
  /** Adds the time of the work to that of its phase. */
  timed<T>(phase: Phase, work: () => T): T;
  readPartition(ref: PartitionRef): Promise<Partition>;
  /** The shapes of a partition that has them. */
  readShape(ref: PartitionRef): Promise<Shape>;
  /** The rows of a file that holds no features; it is not kept. */
  readTable(ref: PartitionRef): Promise<Table>;
  /** Whether the partition is in memory. */
  isAtHand(ref: PartitionRef): boolean;
}

export interface SessionOptions {
  readonly file: ManifestFile;
  /** Where the manifest was. */
  readonly from: From;
  readonly source: ByteSource;
  readonly lease: Lease;
  readonly readTable: ReadTable;
  readonly signal: AbortSignal;
}

/** A session over the release of this manifest. */
export function openSession({ file, from, source, lease, readTable, signal }: SessionOptions): Session {
  const files: FileUse[] = [{ path: MANIFEST_PATH, bytes: file.sizeBytes, from }];
  const milliseconds = { plan: 0, read: 0, execute: 0 };
  const opened = new Map<string, Promise<Partition>>();

  async function open(ref: PartitionRef): Promise<Partition> {
    const { partition, from: was } = await lease.read(ref, signal);
    const { bytes, rows, bbox } = ref.node;
    files.push({ path: partitionPath(ref.collection, ref.run, ref.node), bytes, from: was, rows, bbox });
    return partition;
  }

  return {
    ...openIndex(file.manifest, { source, pages: lease.pages, signal, onRead: (page) => files.push(page) }),
    signal,
    files,
    milliseconds,
    timed(phase, work) {
      const start = performance.now();
      const add = () => {
        milliseconds[phase] += performance.now() - start;
      };
      const result = work();
      if (result instanceof Promise) void result.then(add, add);
      else add();
      return result;
    },
    readPartition(ref) {
      const { sha256 } = ref.node;
      const work = opened.get(sha256) ?? open(ref);
      opened.set(sha256, work);
      work.catch(() => opened.delete(sha256));
      return work;
    },
    async readShape(ref) {
      const { shape, from: was } = await lease.readShape(ref, signal);
      const { country, rows, bbox, shape: entry } = ref.node;
      if (entry) {
        const path = shapePath(ref.collection, country, entry.sha256);
        files.push({ path, bytes: entry.bytes, from: was, rows, bbox });
      }
      return shape;
    },
    readTable: (ref) => readTable(ref, signal),
    isAtHand: lease.isAtHand,
  };
}

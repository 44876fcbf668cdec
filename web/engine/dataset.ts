/**
 * A dataset, open for searches.
 * @module
 */
import type { IndexNode, Manifest } from "../../data/format/manifest.ts";
import { MANIFEST_PATH, partitionPath } from "../../data/format/paths.ts";
import { createExecutors } from "./executors.ts";
import { featuresOf } from "./features.ts";
import { readFile } from "./files.ts";
import { createMemo } from "./memo.ts";
import { openPartition } from "./partition.ts";
import { createPartitionCache } from "./partition-cache.ts";
import type { ByteSource, Database, DecodeParquet } from "./ports.ts";
import type { Query, SearchResult } from "./query.ts";
import { type Release, readRelease } from "./release.ts";
import { searchRows } from "./search.ts";

/** A few hundred partitions of 2,048 rows, well below what a browser gives a page. */
const DEFAULT_CACHE_BYTES = 512 * 1024 * 1024;

export interface DatasetOptions {
  readonly source: ByteSource;
  readonly decode: DecodeParquet;
  /** Starts the database; called at most once at a time, when the first search wants it. */
  readonly database?: (() => Promise<Database>) | undefined;
  /** `auto`, the default: `sql` once the database is up, `scan` until then. */
  readonly executor?: "auto" | "sql" | "scan";
  /** Memory for partitions, in bytes of Arrow; 512 MiB when left out. */
  readonly cacheBytes?: number;
}

export interface Dataset {
  /** The manifest that searches use; read when first asked for. */
  manifest(signal?: AbortSignal): Promise<Manifest>;
  /**
   * Answers a query from one release, whole or not at all: `FetchError` or `ManifestError` when a file cannot be had
   * or is damaged.
   */
  search(query: Query, options?: { readonly signal?: AbortSignal | undefined }): Promise<SearchResult>;
  /** Reads the manifest anew. Searches under way keep theirs; when it cannot be had, so do those to come. */
  refresh(signal?: AbortSignal): Promise<Manifest>;
}

/** Opens a dataset. Nothing is read before it is needed. */
export function openDataset(options: DatasetOptions): Dataset {
  const { source, decode, cacheBytes = DEFAULT_CACHE_BYTES } = options;
  const releases = createMemo<Release>();
  const pages = createMemo<readonly IndexNode[]>();
  const executors = createExecutors(options);
  const cache = createPartitionCache({
    maxBytes: cacheBytes,
    async load({ collection, run, node }, signal) {
      const { bytes, sha256 } = node;
      const file = await readFile(source, { path: partitionPath(collection, run, node), bytes, sha256 }, signal);
      return openPartition(collection, node, decode(file));
    },
    onEvict: executors.forget,
  });
  let current: Release | undefined;

  async function refresh(signal?: AbortSignal): Promise<Release> {
    const release = await releases.get("latest", (workSignal) => readRelease(source, pages, workSignal), signal);
    releases.delete("latest");
    current = release;
    return release;
  }

  async function search(query: Query, signal: AbortSignal | undefined): Promise<SearchResult> {
    const from = current ? "memory" : "source";
    const release = current ?? (await refresh(signal));
    const manifest = { path: MANIFEST_PATH, bytes: release.sizeBytes, from } as const;
    const lease = cache.lease();
    try {
      const { total, rows, report } = await executors.run(
        (executor) => searchRows(query, { release, lease, executor }, signal),
        signal,
      );
      return {
        total,
        length: rows.length,
        features: (properties) => featuresOf(rows, properties),
        report: { ...report, files: [manifest, ...report.files] },
      };
    } finally {
      lease.end();
    }
  }

  return {
    manifest: async (signal) => (current ?? (await refresh(signal))).manifest,
    search: (query, { signal } = {}) => search(query, signal),
    refresh: async (signal) => (await refresh(signal)).manifest,
  };
}

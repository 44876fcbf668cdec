/**
 * One release of a dataset: its manifest, and the index pages below it.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { IndexNode, Manifest, PageNode } from "../../../data/format/manifest.ts";
import { pagePath } from "../../../data/format/paths.ts";
import type { ByteSource } from "../ports.ts";
import type { SearchReport } from "../query.ts";
import { type IndexPage, type ManifestFile, readIndexPage, readManifest } from "./files.ts";
import type { Memo } from "./memo.ts";

/** Index pages in memory, by the hash of their file: they are those of any release. */
export type IndexPages = Pick<Memo<IndexPage>, "get" | "peek">;

export interface Release {
  readonly manifest: Manifest;
  /** Of the manifest. */
  readonly sizeBytes: number;
  /** What the page holds; undefined when it is not in memory. */
  readonly childrenOf: (page: PageNode) => readonly IndexNode[] | undefined;
  readonly readPage: (
    collection: CollectionName,
    page: PageNode,
    signal?: AbortSignal,
  ) => Promise<SearchReport["files"][number]["from"]>;
}

/** The release that the source has now. */
export async function readRelease(source: ByteSource, pages: IndexPages, signal?: AbortSignal): Promise<Release> {
  return releaseOf(await readManifest(source, signal), source, pages);
}

/** The release of this manifest; its index pages are read from the source. */
export function releaseOf({ manifest, sizeBytes }: ManifestFile, source: ByteSource, pages: IndexPages): Release {
  return {
    manifest,
    sizeBytes,
    childrenOf: ({ sha256 }) => pages.peek(sha256)?.nodes,
    async readPage(collection, { sha256, bytes }, signal) {
      const from = pages.peek(sha256) ? "memory" : "source";
      const entry = { path: pagePath(collection, sha256), bytes, sha256 };
      await pages.get(sha256, (workSignal) => readIndexPage(source, entry, workSignal), signal);
      return from;
    },
  };
}

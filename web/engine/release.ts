/**
 * One release of a dataset: its manifest, and the index pages read so far.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import type { IndexNode, Manifest, PageNode } from "../../data/format/manifest.ts";
import { pagePath } from "../../data/format/paths.ts";
import { readIndexPage, readManifest } from "./files.ts";
import type { Memo } from "./memo.ts";
import type { ByteSource } from "./ports.ts";
import type { SearchReport } from "./query.ts";

export interface Release {
  readonly manifest: Manifest;
  /** Of the manifest. */
  readonly sizeBytes: number;
  readonly childrenOf: (page: PageNode) => readonly IndexNode[] | undefined;
  readonly readPage: (
    collection: CollectionName,
    page: PageNode,
    signal?: AbortSignal,
  ) => Promise<SearchReport["files"][number]["from"]>;
}

/** The release that the source has now. Pages are remembered in `pages` by their hash, for this and other releases. */
export async function readRelease(
  source: ByteSource,
  pages: Memo<readonly IndexNode[]>,
  signal?: AbortSignal,
): Promise<Release> {
  return releaseOf(await readManifest(source, signal), source, pages);
}

/** The release of this manifest; its index pages are read from the source. */
export function releaseOf(
  { manifest, sizeBytes }: { readonly manifest: Manifest; readonly sizeBytes: number },
  source: ByteSource,
  pages: Memo<readonly IndexNode[]>,
): Release {
  return {
    manifest,
    sizeBytes,
    childrenOf: ({ sha256 }) => pages.peek(sha256),
    async readPage(collection, { sha256, bytes }, signal) {
      const from = pages.peek(sha256) ? "memory" : "source";
      const entry = { path: pagePath(collection, sha256), bytes, sha256 };
      await pages.get(sha256, (workSignal) => readIndexPage(source, entry, workSignal), signal);
      return from;
    },
  };
}

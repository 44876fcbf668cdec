/**
 * The index of one release: its manifest, and the tree of pages below it, read as it is needed.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type Manifest,
  type PageNode,
  type PartitionNode,
} from "../../../data/format/manifest.ts";
import { pagePath } from "../../../data/format/paths.ts";
import { createIndexCheck, type IndexCheck } from "../../../data/format/walk-index.ts";
import { ManifestError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { FileUse } from "../contract/query.ts";
import type { Memo } from "../tasks/memo.ts";
import { type IndexPage, readIndexPage, readManifest } from "./files.ts";

/** A node of the index with the collection and the run it belongs to. */
export interface NodeRef<N extends IndexNode = IndexNode> {
  readonly collection: CollectionName;
  readonly run: AnyRunName;
  readonly node: N;
}

export type PartitionRef = NodeRef<PartitionNode>;
export type PageRef = NodeRef<PageNode>;

/** Index pages in memory, by the hash of their file: they are those of any release. */
export type IndexPages = Pick<Memo<IndexPage>, "get" | "peek">;

export interface Index {
  readonly manifest: Manifest;
  /** What the page holds; undefined when it is not in memory. `ManifestError` when the pages known so far are no tree. */
  childrenOf(page: PageNode): readonly IndexNode[] | undefined;
  /** Reads the pages, all at once. Throws `FetchError` or `ManifestError` when one cannot be had. */
  readPages(pages: readonly PageRef[]): Promise<void>;
}

export interface IndexOptions {
  readonly source: ByteSource;
  readonly pages: IndexPages;
  readonly signal?: AbortSignal | undefined;
  /** Hears of each page that was asked for. */
  readonly onRead?: (file: FileUse) => void;
}

/** A page may be that of many releases: where it stands is told for each. */
const checks = new WeakMap<Manifest, IndexCheck>();

/** The index below a manifest. */
export function openIndex(manifest: Manifest, { source, pages, signal, onRead }: IndexOptions): Index {
  async function readPage({ collection, node: { sha256, bytes } }: PageRef): Promise<void> {
    const from = pages.peek(sha256) ? "memory" : "source";
    const path = pagePath(collection, sha256);
    await pages.get(sha256, (workSignal) => readIndexPage(source, { path, bytes, sha256 }, workSignal), signal);
    onRead?.({ path, bytes, from });
  }
  return {
    manifest,
    childrenOf(page) {
      const nodes = pages.peek(page.sha256)?.nodes;
      if (nodes) checkPage(source, manifest, page, nodes);
      return nodes;
    },
    readPages: async (refs) => void (await Promise.all(refs.map(readPage))),
  };
}

function checkPage(source: ByteSource, manifest: Manifest, page: PageNode, nodes: readonly IndexNode[]): void {
  try {
    const check = checks.get(manifest) ?? createIndexCheck(rootsOf(manifest));
    checks.set(manifest, check);
    check(page, nodes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ManifestError(`the index of ${source.name} cannot be read: ${reason}`, { cause });
  }
}

function rootsOf({ collections }: Manifest): IndexNode[] {
  return Object.values(collections).flatMap(({ runs }) => Object.values(runs).flatMap((run) => run?.nodes ?? []));
}

/** The index of the release that the source has now. */
export async function readIndex(options: IndexOptions): Promise<Index> {
  const { manifest } = await readManifest(options.source, options.signal);
  return openIndex(manifest, options);
}

/** A run of a collection. */
export interface RunRef {
  readonly collection: CollectionName;
  readonly run: AnyRunName;
}

/** Whether rows below the node may be wanted; `startRow` is the number of the run's rows before it. */
export type MayHold = (node: IndexNode, startRow: number) => boolean;

/** A node of the index, and the number of the run's rows before it. */
export interface Leaf extends NodeRef {
  readonly startRow: number;
}

/** The lowest nodes that are known and may hold wanted rows, in the order of the run: partitions, and pages not read yet. */
export function leavesOf(
  { manifest, childrenOf }: Pick<Index, "manifest" | "childrenOf">,
  { collection, run }: RunRef,
  mayHold: MayHold,
): Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (nodes: readonly IndexNode[], firstRow: number): void => {
    let startRow = firstRow;
    for (const node of nodes) {
      if (mayHold(node, startRow)) {
        const children = isPage(node) ? childrenOf(node) : undefined;
        if (children) visit(children, startRow);
        else leaves.push({ collection, run, node, startRow });
      }
      startRow += node.rows;
    }
  };
  visit(manifest.collections[collection]?.runs[run]?.nodes ?? [], 0);
  return leaves;
}

/** The partitions of the run that may hold wanted rows; reads the pages above them, level by level. */
export async function findPartitions(index: Index, run: RunRef, mayHold: MayHold): Promise<PartitionRef[]> {
  for (;;) {
    const leaves = leavesOf(index, run, mayHold);
    const pages = leaves.filter(isPageRef);
    if (pages.length === 0) return leaves.filter(isPartitionRef);
    await index.readPages(pages);
  }
}

/** Whether the node is a page. */
export function isPageRef<R extends NodeRef>(ref: R): ref is R & PageRef {
  return isPage(ref.node);
}

/** Whether the node is a partition. */
export function isPartitionRef<R extends NodeRef>(ref: R): ref is R & PartitionRef {
  return !isPage(ref.node);
}

/** Whether rows of the country may stand below a node of a run that is ordered by country. */
export function mayHoldCountry(node: IndexNode, country: string): boolean {
  if (!isPage(node)) return node.country === country;
  const [first] = node.first ?? [country];
  const [last] = node.last ?? [country];
  return first <= country && country <= last;
}

/**
 * The index of one release: its manifest, and the tree of pages below it, read on demand.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { requirePageSums } from "../../../data/format/index-sums.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type Manifest,
  type NodesOf,
  type PageNode,
} from "../../../data/format/manifest.ts";
import { packPath } from "../../../data/format/paths.ts";
import { createIndexCheck, type IndexCheck } from "../../../data/format/walk-index.ts";
import { ManifestError } from "../contract/errors.ts";
import type { ByteSource } from "../contract/ports.ts";
import type { FileUse } from "../contract/query.ts";
import type { Memo } from "../tasks/memo.ts";
import { type IndexPage, readIndexPage, readManifest } from "./files.ts";
import { isInline } from "./inline-slices.ts";

/** A node of the index, with its collection and run. */
export interface NodeRef<N extends IndexNode = IndexNode, R extends AnyRunName = AnyRunName> {
  readonly collection: CollectionName;
  readonly run: R;
  readonly node: N;
}

export type PartitionRef<R extends AnyRunName = AnyRunName> = NodeRef<NodesOf[R], R>;
export type PageRef = NodeRef<PageNode>;

/** Index pages in memory by their SHA-256, shared by all releases. */
type IndexPages = Pick<Memo<IndexPage>, "get" | "peek">;

export interface Index {
  readonly manifest: Manifest;
  /**
   * Returns the nodes of the page; undefined when the page is not in memory. Throws `ManifestError` when the known pages do not
   * form a tree.
   */
  childrenOf(page: PageNode): readonly IndexNode[] | undefined;
  /** Reads the pages in parallel. Throws `FetchError` or `ManifestError` on failure. */
  readPages(pages: readonly PageRef[]): Promise<void>;
}

export interface IndexOptions {
  readonly source: ByteSource;
  readonly pages: IndexPages;
  readonly signal?: AbortSignal | undefined;
  /** Called for each page that was requested. */
  readonly onRead?: (file: FileUse) => void;
}

/** Releases share pages, but the position of a page is checked per release. */
const checks = new WeakMap<Manifest, IndexCheck>();

/** Opens the index of a manifest. */
export function openIndex(manifest: Manifest, { source, pages, signal, onRead }: IndexOptions): Index {
  async function readPage({ collection, node: { sha256, bytes, pack, offset } }: PageRef): Promise<void> {
    const from = pages.peek(sha256) || isInline(manifest, { sha256 }) ? "memory" : "source";
    const path = packPath(collection, "pages", pack);
    const entry = { path, bytes, sha256, offset };
    await pages.get(sha256, (workSignal) => readIndexPage(source, entry, workSignal), signal);
    onRead?.({ path, offset, bytes, from });
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
    const check = checks.get(manifest) ?? createIndexCheck(rootsOf(manifest), requirePageSums);
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

/** Reads the manifest and opens the index of the current release. Throws like `readManifest`. */
export async function readIndex(options: IndexOptions): Promise<Index> {
  const { manifest } = await readManifest(options.source, options.signal);
  return openIndex(manifest, options);
}

export interface RunRef<R extends AnyRunName = AnyRunName> {
  readonly collection: CollectionName;
  readonly run: R;
}

/** The part of the run before a node. */
interface Before {
  readonly rows: number;
  readonly partitions: number;
}

/** Whether wanted rows may be below the node. `before` counts the rows and partitions of the run that precede the node. */
export type MayHold = (node: IndexNode, before: Before) => boolean;

/** A node of the index, with the part of the run before it. */
export interface Leaf<R extends AnyRunName = AnyRunName> extends NodeRef<IndexNode, R> {
  readonly before: Before;
}

/** Returns the lowest known nodes that may contain wanted rows, in run order: partitions, and pages not read yet. */
export function leavesOf<R extends AnyRunName>(
  { manifest, childrenOf }: Pick<Index, "manifest" | "childrenOf">,
  { collection, run }: RunRef<R>,
  mayHold: MayHold,
): Leaf<R>[] {
  const leaves: Leaf<R>[] = [];
  const visit = (nodes: readonly IndexNode[], first: Before): void => {
    let before = first;
    for (const node of nodes) {
      if (mayHold(node, before)) {
        const children = isPage(node) ? childrenOf(node) : undefined;
        if (children) visit(children, before);
        else leaves.push({ collection, run, node, before });
      }
      before = { rows: before.rows + node.rows, partitions: before.partitions + (isPage(node) ? node.partitions : 1) };
    }
  };
  visit(manifest.collections[collection]?.runs[run]?.nodes ?? [], { rows: 0, partitions: 0 });
  return leaves;
}

/**
 * Returns the same index, but a page is only known after it was read through this object. So decisions do not depend on earlier
 * searches.
 */
export function unopened({ manifest, childrenOf, readPages }: Index): Index {
  const opened = new Set<string>();
  return {
    manifest,
    childrenOf: (page) => (opened.has(page.sha256) ? childrenOf(page) : undefined),
    async readPages(pages) {
      await readPages(pages);
      for (const { node } of pages) opened.add(node.sha256);
    },
  };
}

/** Returns the partitions of the run that may contain wanted rows; reads the pages above them, level by level. */
export async function findPartitions<R extends AnyRunName>(
  index: Index,
  run: RunRef<R>,
  mayHold: MayHold,
): Promise<PartitionRef<R>[]> {
  const own = unopened(index);
  for (;;) {
    const leaves = leavesOf(own, run, mayHold);
    const pages = leaves.filter(isPageRef);
    if (pages.length === 0) return leaves.flatMap((leaf) => partitionOf(leaf) ?? []);
    await own.readPages(pages);
  }
}

/** The member by which nodes of a run are recognised. */
const MARKS: Partial<Readonly<Record<AnyRunName, string>>> = {
  location: "geohash",
  records: "chunk",
  ids: "segment",
};

/**
 * Returns the leaf as a partition of its run; undefined for a page. Throws `ManifestError` when the node belongs to another run.
 */
export function partitionOf<R extends AnyRunName>(ref: NodeRef<IndexNode, R>): PartitionRef<R> | undefined {
  const { collection, run, node } = ref;
  if (isPage(node)) return undefined;
  const mark = MARKS[run] ?? "first_term";
  if (!(mark in node)) throw new ManifestError(`the ${run} run of ${collection} has a node without ${mark}`);
  return ref as NodeRef<IndexNode, AnyRunName> as PartitionRef<R>;
}

/** Returns whether the node is a page. */
export function isPageRef<R extends NodeRef>(ref: R): ref is R & PageRef {
  return isPage(ref.node);
}

/** Returns whether rows of the country may be below the node. Its run must be ordered by country. */
export function mayHoldCountry(node: IndexNode, country: string): boolean {
  if (!isPage(node)) return node.country === country;
  const [first] = node.first ?? [country];
  const [last] = node.last ?? [country];
  return first <= country && country <= last;
}

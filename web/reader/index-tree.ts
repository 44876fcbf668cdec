/** The index of a collection: a tree of nodes for each run (kind of stored data), whose pages are read on demand. @module */

import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type Manifest,
  type ManifestCollection,
  type NodesOf,
  type PageNode,
} from "../../data/format/manifest.ts";
import { type PackKind, packPath } from "../../data/format/paths.ts";
import type { IndexCheck } from "../../data/format/walk-index.ts";
import { readPage } from "./check.ts";
import { CairnError, named } from "./error.ts";
import type { Files, Wanted } from "./files.ts";

/** A collection of an open dataset. */
export interface Collection {
  readonly name: string;
  readonly manifest: Manifest;
  readonly about: ManifestCollection;
  readonly files: Files;
  readonly check: IndexCheck;
}

/** Returns whether wanted rows may be below the node. `before` is the number of slices of the run before the node. */
export type MayHold = (node: IndexNode, before: number) => boolean;

/** The member by which nodes of a run are recognised. */
const MARKS: Partial<Readonly<Record<AnyRunName, string>>> = { location: "points", records: "chunk", ids: "segment" };

/**
 * Returns the slices of a run that may have wanted rows, in the order of the index. Empty if the collection has no such run.
 * Reads the index pages above them. Throws `CairnError` if the index is damaged.
 */
export async function nodesOf<R extends AnyRunName>(
  collection: Collection,
  run: R,
  mayHold: MayHold,
): Promise<NodesOf[R][]> {
  const mark = MARKS[run] ?? "first_term";
  const walk = async (nodes: readonly IndexNode[], first: number): Promise<IndexNode[]> => {
    let before = first;
    const wanted = nodes.filter((node) => {
      const isWanted = mayHold(node, before);
      starts.set(node, before);
      before += isPage(node) ? node.partitions : 1;
      return isWanted;
    });
    const pages = wanted.filter(isPage);
    const below = new Map<IndexNode, readonly IndexNode[]>();
    for (const [index, children] of (await readPages(collection, pages)).entries())
      below.set(pages[index] as PageNode, children);
    const found = await Promise.all(
      wanted.map((node) => (isPage(node) ? walk(below.get(node) ?? [], starts.get(node) ?? 0) : [node])),
    );
    return found.flat();
  };
  const starts = new Map<IndexNode, number>();
  const found = await walk(collection.about.runs[run]?.nodes ?? [], 0);
  for (const node of found) {
    if (!(mark in node)) throw new CairnError(`the run ${run} of ${collection.name} has a node without ${mark}`);
  }
  return found as IndexNode[] as NodesOf[R][];
}

/**
 * Returns the nodes of each page, in the order of `pages`. Throws `CairnError` if the pages do not form a tree, or if their sums
 * are wrong.
 */
export async function readPages(collection: Collection, pages: readonly PageNode[]): Promise<(readonly IndexNode[])[]> {
  const found = await collection.files.slices(
    pages.map((page) => inPack(collection, "pages", page)),
    readPage,
  );
  await named(`the index of ${collection.name}`, () => {
    for (const [index, nodes] of found.entries()) collection.check(pages[index] as PageNode, nodes);
  });
  return found;
}

/** Returns where a slice is: the path of its pack below the dataset's folder, and its range of bytes. */
export function inPack(
  { name }: Collection,
  kind: PackKind,
  slice: Wanted["slice"] & { readonly pack: string },
): Wanted {
  return { path: packPath(name, kind, slice.pack), slice };
}

/** Returns whether rows of the country may be below the node. Its run must be ordered by country. */
export function mayHoldCountry(node: IndexNode, country: string): boolean {
  if (!isPage(node)) return node.country === country;
  return (node.first?.[0] ?? country) <= country && country <= (node.last?.[0] ?? country);
}

/**
 * Returns the slices with these numbers, by number: chunks of records, or segments of ids. Leaves out numbers that do not exist.
 */
export async function numberedNodes<R extends "records" | "ids">(
  collection: Collection,
  run: R,
  wanted: ReadonlySet<number>,
): Promise<Map<number, NodesOf[R]>> {
  if (wanted.size === 0) return new Map();
  const nodes = await nodesOf(collection, run, (node, before) => {
    const end = before + (isPage(node) ? node.partitions : 1);
    return [...wanted].some((number) => number >= before && number < end);
  });
  return new Map(nodes.map((node) => ["chunk" in node ? node.chunk : node.segment, node]));
}

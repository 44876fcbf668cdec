/** Puts slices into packs, and nodes into pages. @module */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bboxUnion } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type PageNode,
  type PartitionNode,
  type Slice,
} from "../../../data/format/manifest.ts";
import { type PackKind, packNameOf, packPath } from "../../../data/format/paths.ts";
import { type Change, changed } from "./change.ts";
import { deflate } from "./records.ts";

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Small, so that a run has several packs. */
const PACK_SLICES = 3;

export interface Packing {
  readonly folder: string;
  readonly collection: CollectionName;
  readonly change: Change;
}

/** Writes a file of these slices and the bytes after them. Returns the index entry of each slice. */
export async function writePack(
  { folder, collection, change }: Packing,
  slices: readonly Uint8Array[],
  {
    run,
    index,
    pathOf,
    tail = new Uint8Array(),
  }: {
    readonly run: AnyRunName | PackKind;
    readonly index: number;
    readonly pathOf: (name: string) => string;
    readonly tail?: Uint8Array;
  },
): Promise<Slice[]> {
  const parts = changed(change, "parts", slices, { collection, run, index });
  const bytes = Buffer.concat([...parts, tail]);
  const pack = packNameOf(hashOf(bytes));
  const path = join(folder, pathOf(pack));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  return slices.map((slice) => {
    // Parts that a change put between slices are in no slice.
    const place = parts.indexOf(slice);
    if (place < 0) throw new Error("a change replaced a slice of a pack");
    const offset = parts.slice(0, place).reduce((sum, { length }) => sum + length, 0);
    return { sha256: hashOf(slice), bytes: slice.length, pack, offset };
  });
}

/** Writes packs of a few slices each. */
export async function writePacks(packing: Packing, kind: PackKind, slices: readonly Uint8Array[]): Promise<Slice[]> {
  const written: Slice[] = [];
  for (let start = 0; start < slices.length; start += PACK_SLICES) {
    const own = slices.slice(start, start + PACK_SLICES);
    const pathOf = (name: string): string => packPath(packing.collection, kind, name);
    written.push(...(await writePack(packing, own, { run: kind, index: start / PACK_SLICES, pathOf })));
  }
  return written;
}

const PAGE_NODES = 4;
/** Nodes of a run in the manifest. */
const ROOT_NODES = 12;

/** Returns the nodes of a run in the manifest. Writes pages below them if there are many. */
export async function writePages(
  packing: Packing,
  run: AnyRunName,
  nodes: readonly PartitionNode[],
): Promise<IndexNode[]> {
  const { change, collection } = packing;
  let level: readonly IndexNode[] = nodes;
  while (level.length > ROOT_NODES) {
    const groups: (readonly IndexNode[])[] = [];
    for (let start = 0; start < level.length; start += PAGE_NODES) {
      const members = level.slice(start, start + PAGE_NODES);
      groups.push(changed(change, "nodes", members, { collection, run, index: groups.length }));
    }
    const slices = await writePacks(
      packing,
      "pages",
      groups.map((members) => deflate(new TextEncoder().encode(JSON.stringify(members)))),
    );
    const below = level;
    level = slices.map(
      (slice, i): PageNode => ({
        ...slice,
        ...sumsOf(run, below.slice(i * PAGE_NODES, (i + 1) * PAGE_NODES)),
      }),
    );
  }
  return [...level];
}

function sumsOf(run: AnyRunName, members: readonly IndexNode[]): Omit<PageNode, keyof Slice> {
  const [first, last] = [members[0], members.at(-1)];
  const ends = run === "location" || !first || !last ? {} : { first: keyOf(first, "first"), last: keyOf(last, "last") };
  return {
    rows: members.reduce((sum, { rows }) => sum + rows, 0),
    partitions: members.reduce((sum, node) => sum + (isPage(node) ? node.partitions : 1), 0),
    bbox: bboxUnion(members.map(({ bbox }) => bbox)),
    ...ends,
  };
}

function keyOf(node: IndexNode, end: "first" | "last"): [string, string] {
  if (isPage(node)) return node[end] ?? ["", ""];
  if ("segment" in node) return [node.country, node[`${end}_id`]];
  return [node.country, "first_term" in node ? node[`${end}_term`] : ""];
}

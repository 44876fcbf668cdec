import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bboxUnion } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type ManifestRun,
  type PageNode,
  type PartitionNode,
} from "../../data/format/manifest.ts";
import { pagePath } from "../../data/format/paths.ts";
import { packInOrder, packInSpace, type Sized } from "./pack-nodes.ts";

export interface IndexedRun {
  readonly collection: CollectionName;
  readonly run: AnyRunName;
  readonly partitions: readonly PartitionNode[];
}

/** Writes the pages of a run's index below the folder; returns the run's entry in the manifest. */
export async function writeIndex(folder: string, { collection, run, partitions }: IndexedRun): Promise<ManifestRun> {
  const { nodes, pages } = buildIndex(run, partitions);
  await writePages(folder, collection, pages);
  const bytes = partitions.reduce((sum, partition) => sum + partition.bytes, 0);
  return { partitions: partitions.length, bytes, nodes: [...nodes] };
}

export async function writePages(
  folder: string,
  collection: CollectionName,
  pages: readonly IndexPage[],
): Promise<void> {
  for (const { sha256, text } of pages) {
    const path = join(folder, pagePath(collection, sha256));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

const ROOT_NODES = 32;

export interface IndexPage {
  readonly sha256: string;
  readonly text: string;
}

export interface IndexTree {
  readonly nodes: readonly IndexNode[];
  readonly pages: readonly IndexPage[];
}

/** The index of partitions in the run's order: pages over pages until few nodes remain. */
export function buildIndex(run: AnyRunName, partitions: readonly PartitionNode[]): IndexTree {
  let nodes: readonly IndexNode[] = partitions;
  const pages: IndexPage[] = [];
  while (nodes.length > ROOT_NODES) {
    const level = addLevel(run, nodes);
    pages.push(...level.pages);
    nodes = level.nodes;
  }
  return { nodes, pages };
}

export function addLevel(run: AnyRunName, nodes: readonly IndexNode[]): IndexTree {
  const sized = nodes.map((node): Sized => {
    const text = JSON.stringify(node);
    return { node, text, bytes: Buffer.byteLength(text) };
  });
  const { groups, left } = run === "location" ? packInSpace(sized) : { groups: packInOrder(sized), left: [] };
  const made = groups.map((members) => makePage(run, members));
  return { nodes: [...left, ...made.map(({ node }) => node)], pages: made.map(({ page }) => page) };
}

function makePage(run: AnyRunName, group: readonly Sized[]): { node: PageNode; page: IndexPage } {
  const members = group.map(({ node }) => node);
  const text = `[\n${group.map((member) => member.text).join(",\n")}\n]\n`;
  const sha256 = createHash("sha256").update(text).digest("hex");
  const node: PageNode = {
    sha256,
    bytes: Buffer.byteLength(text),
    rows: members.reduce((sum, { rows }) => sum + rows, 0),
    bbox: bboxUnion(members.map(({ bbox }) => bbox)),
    partitions: members.reduce((sum, member) => sum + (isPage(member) ? member.partitions : 1), 0),
    ...(run === "location" ? {} : rangeOf(run, members)),
  };
  return { node, page: { sha256, text } };
}

function rangeOf(
  run: Exclude<AnyRunName, "location">,
  members: readonly IndexNode[],
): Pick<PageNode, "first" | "last"> {
  const [first, last] = [members[0], members.at(-1)];
  if (!first || !last) throw new Error("an index page without nodes");
  return {
    first: isPage(first) ? first.first : [first.country, (run === "id" ? first.first_id : first.first_term) ?? ""],
    last: isPage(last) ? last.last : [last.country, (run === "id" ? last.last_id : last.last_term) ?? ""],
  };
}

import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type ManifestRun,
  type PageNode,
  type PartitionNode,
  parsePage,
} from "../../data/format/manifest.ts";
import { pagePath, partitionPath } from "../../data/format/paths.ts";
import { walkIndex } from "../../data/format/walk-index.ts";
import { checksOf, type Ledger, messageOf } from "./ledger.ts";
import { readNamed } from "./named-file.ts";

export interface IndexedPartition {
  readonly node: PartitionNode;
  readonly path: string;
}

export interface ReadIndex {
  readonly partitions: readonly IndexedPartition[];
  readonly pages: readonly string[];
  readonly isWhole: boolean;
}

/**
 * Walks a run's index and checks its pages. Damaged pages are noted and what is below them left out; pages that form
 * no tree end the walk.
 */
export async function readIndex(
  dataset: string,
  collection: CollectionName,
  runName: AnyRunName,
  run: ManifestRun,
  ledger: Ledger,
): Promise<ReadIndex> {
  const partitions: IndexedPartition[] = [];
  const pages: string[] = [];
  let isWhole = true;

  async function readPage(path: string, node: PageNode): Promise<readonly IndexNode[] | undefined> {
    const { say, same } = checksOf(ledger, collection, path);
    const content = await readNamed(dataset, { scope: collection, path, ...node }, ledger);
    if (!content) return undefined;
    let members: readonly IndexNode[] = [];
    let fault = "";
    try {
      members = parsePage(JSON.parse(content.toString("utf8")));
    } catch (error) {
      fault = messageOf(error);
    }
    if (!say("index", fault === "" && members.length > 0, () => fault || "an empty page")) return undefined;
    const sums = summarise(runName, members);
    for (const key of ["rows", "partitions", "bbox", "first", "last"] as const) {
      same("index", key, sums[key], node[key]);
    }
    return members;
  }

  const walked = walkIndex(run.nodes, async (page) => {
    const path = pagePath(collection, page.sha256);
    pages.push(path);
    const members = await readPage(path, page);
    if (!members) isWhole = false;
    return members;
  });
  try {
    for await (const node of walked) {
      if (!isPage(node)) partitions.push({ node, path: partitionPath(collection, runName, node) });
    }
  } catch (error) {
    isWhole = false;
    ledger.expect(collection, "index", false, () => `${runName} run: ${messageOf(error)}`);
  }
  return { partitions, pages, isWhole };
}

type Sums = Pick<PageNode, "rows" | "partitions" | "first" | "last"> & { readonly bbox: BBox };

function summarise(run: AnyRunName, members: readonly IndexNode[]): Sums {
  const ends =
    run === "location" ? {} : { first: keyOf(run, members[0], "first"), last: keyOf(run, members.at(-1), "last") };
  return {
    rows: members.reduce((sum, { rows }) => sum + rows, 0),
    partitions: members.reduce((sum, member) => sum + (isPage(member) ? member.partitions : 1), 0),
    bbox: bboxUnion(members.map(({ bbox }) => bbox)),
    ...ends,
  };
}

function keyOf(
  run: Exclude<AnyRunName, "location">,
  node: IndexNode | undefined,
  end: "first" | "last",
): [country: string, key: string] {
  if (!node) return ["", ""];
  if (isPage(node)) return node[end] ?? ["", ""];
  return [node.country, node[`${end}_${run === "id" ? "id" : "term"}`] ?? ""];
}

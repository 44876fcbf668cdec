import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { compareIds } from "../../../data/format/ids.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type ManifestRun,
  type PageNode,
  type PartitionNode,
} from "../../../data/format/manifest.ts";
import { readPage } from "../../../data/format/manifest-schema.ts";
import { firstLineOf } from "../../../data/format/message-of.ts";
import { packPath, slicesOfNode } from "../../../data/format/paths.ts";
import { walkIndex } from "../../../data/format/walk-index.ts";
import { checksOf } from "./ledger.ts";
import { nameSlice } from "./slice-table.ts";
import { openSlice, type Verified } from "./verified.ts";

/**
 * Reads the index of a run, adds its slices to the table, and checks pages and sums. Leaves out what is below a damaged
 * page. Returns true if all of it was read.
 */
export async function readIndex(verified: Verified, name: AnyRunName, run: ManifestRun): Promise<boolean> {
  const { name: collection, sliceTable, ledger } = verified;
  let isWhole = true;
  const walked = walkIndex(run.nodes, async (page) => {
    const path = packPath(collection, "pages", page.pack);
    sliceTable.add("pages", path, page);
    const members = await readMembers(verified, name, { ...page, path });
    if (!members) isWhole = false;
    return members;
  });
  const totals = { partitions: 0, bytes: 0 };
  let before: PartitionNode | undefined;
  try {
    for await (const node of walked) {
      if (isPage(node)) continue;
      totals.partitions++;
      totals.bytes += node.bytes;
      const slices = slicesOfNode(collection, name, node);
      const path = slices[0]?.path ?? "";
      const { say } = checksOf(verified, nameSlice({ ...node, path }));
      if (!say("index", isOfRun(name, node), () => `its node does not belong to the ${name} run`)) {
        isWhole = false;
        continue;
      }
      say("index", compareNodes(name, before, node) <= 0, () => `does not come after the node before it`);
      before = node;
      for (const { kind, path, slice } of slices) sliceTable.add(kind, path, slice, slice === node ? node : undefined);
    }
  } catch (error) {
    isWhole = false;
    ledger.expect(collection, "index", false, () => `${collection}: ${name} run: ${firstLineOf(error)}`);
  }
  if (!isWhole) return false;
  const { same } = checksOf(verified, "manifest.json");
  for (const key of ["partitions", "bytes"] as const) {
    same("counts", `${collection} runs.${name}.${key}`, totals[key], run[key]);
  }
  return true;
}

function isOfRun(run: AnyRunName, node: PartitionNode): boolean {
  if (run === "location") return "points" in node;
  if (run === "records") return "chunk" in node;
  if (run === "ids") return "segment" in node;
  return "first_term" in node;
}

/**
 * Compares the ends of two neighbouring nodes. Returns 0 for the location run, whose order `checkLocationOrder` checks.
 */
function compareNodes(run: AnyRunName, a: PartitionNode | undefined, b: PartitionNode): number {
  if (!a || run === "location") return 0;
  const [last, first] = [endsOf(a).last, endsOf(b).first];
  return compareIds(last[0], first[0]) || compareIds(last[1], first[1]);
}

type End = [country: string, key: string];

function endsOf(node: IndexNode): { first: End; last: End } {
  if (isPage(node)) return { first: node.first ?? ["", ""], last: node.last ?? ["", ""] };
  if ("chunk" in node) return { first: [node.country, ""], last: [node.country, ""] };
  if ("segment" in node) return { first: [node.country, node.first_id], last: [node.country, node.last_id] };
  if ("first_term" in node) return { first: [node.country, node.first_term], last: [node.country, node.last_term] };
  return { first: ["", ""], last: ["", ""] };
}

async function readMembers(
  verified: Verified,
  run: AnyRunName,
  page: PageNode & { readonly path: string },
): Promise<readonly IndexNode[] | undefined> {
  const members = await openSlice(verified, "index", page, (bytes) => {
    const { nodes } = readPage(bytes);
    if (nodes.length === 0) throw new Error("an empty page");
    return nodes;
  });
  if (!members) return undefined;
  const { same } = checksOf(verified, nameSlice(page));
  const sums = summarise(run, members);
  for (const key of ["rows", "partitions", "bbox", "first", "last"] as const) same("index", key, sums[key], page[key]);
  return members;
}

type Sums = Pick<PageNode, "rows" | "partitions" | "first" | "last"> & { readonly bbox: BBox };

function summarise(run: AnyRunName, members: readonly IndexNode[]): Sums {
  const [first, last] = [members[0], members.at(-1)];
  const ends = run === "location" || !first || !last ? {} : { first: endsOf(first).first, last: endsOf(last).last };
  return {
    rows: members.reduce((sum, { rows }) => sum + rows, 0),
    partitions: members.reduce((sum, member) => sum + (isPage(member) ? member.partitions : 1), 0),
    bbox: bboxUnion(members.map(({ bbox }) => bbox)),
    ...ends,
  };
}

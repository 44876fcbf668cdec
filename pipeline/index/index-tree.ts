import type { AnyRunName, PartitionNode } from "../../data/format/manifest.ts";
import { bytesOfNode, type DraftNode, draftPage } from "./draft-pages.ts";
import { packInOrder, packInSpace, type Sized } from "./pack-nodes.ts";

const ROOT_NODES = 32;

/** The index of partitions in the run's order: pages over pages until few nodes remain. */
export function buildIndex(run: AnyRunName, partitions: readonly PartitionNode[]): readonly DraftNode[] {
  let nodes: readonly DraftNode[] = partitions;
  while (nodes.length > ROOT_NODES) nodes = addLevel(run, nodes);
  return nodes;
}

export function addLevel(run: AnyRunName, nodes: readonly DraftNode[]): readonly DraftNode[] {
  const sized = nodes.map((node): Sized => ({ node, bytes: bytesOfNode(node) }));
  const { groups, left } = run === "location" ? packInSpace(sized) : { groups: packInOrder(sized), left: [] };
  const pages = groups.map((members) =>
    draftPage(
      run,
      members.map(({ node }) => node),
    ),
  );
  return [...left, ...pages];
}

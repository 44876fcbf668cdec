/**
 * Divides the size of the manifest among the indexes of all runs. If the level of nodes below a root fits, it moves
 * into the manifest, which saves searches a round trip.
 * @module
 */
import type { AnyRunName } from "../../../data/format/manifest.ts";
import { addLevel } from "./index-tree.ts";
import { bytesOfNode, type DraftNode, isAnyPage, isDraftPage } from "./pages.ts";

/** Maximum size of a manifest that builds write. Readers accept four times this size. */
export const WRITTEN_MANIFEST_BYTES = 256 * 1024;

/**
 * Every visit fetches the manifest: above this size the transfer takes longer than the round trip that it saves.
 * 128 KiB are about 50 KB compressed, 20 ms at 20 Mbit/s.
 */
const MAX_LIFTED_BYTES = 128 * 1024;

/** For attribution and reject reasons. */
const OTHER_BYTES = 24 * 1024;

const SEPARATOR_BYTES = 8;

/** The nodes of a run in the manifest. `fitRoots` changes them. */
export interface Root {
  readonly name: AnyRunName;
  nodes: readonly DraftNode[];
}

/**
 * Changes `nodes` of the roots so that each run has as many nodes in the manifest as fit next to `otherBytes` bytes of
 * other content. Throws if the smallest roots do not fit.
 */
export function fitRoots(roots: readonly Root[], otherBytes: number): void {
  const rootBytes = (): number => roots.reduce((sum, { nodes }) => sum + sizeOf(nodes), 0);
  const taken = OTHER_BYTES + otherBytes;
  while (taken + rootBytes() > WRITTEN_MANIFEST_BYTES) lower(roots);
  for (;;) {
    const left = MAX_LIFTED_BYTES - taken - rootBytes();
    const fitting = roots.flatMap((root) => {
      const lift = liftOf(root);
      return lift && lift.growthBytes <= left ? [lift] : [];
    });
    const [least] = fitting.sort((a, b) => a.growthBytes - b.growthBytes);
    if (!least) return;
    least.root.nodes = least.nodes;
  }
}

function lower(roots: readonly Root[]): void {
  const [largest] = [...roots].sort((a, b) => sizeOf(b.nodes) - sizeOf(a.nodes));
  if (!largest || largest.nodes.length < 2) throw new Error("the roots of all runs do not fit into the manifest");
  largest.nodes = addLevel(largest.name, largest.nodes);
}

interface Lift {
  readonly root: Root;
  readonly nodes: readonly DraftNode[];
  readonly growthBytes: number;
}

/** Undefined for the last level: its pages let readers skip nodes they do not need. */
function liftOf(root: Root): Lift | undefined {
  const below = root.nodes.filter(isDraftPage).flatMap(({ members }) => members);
  if (!below.some(isAnyPage)) return undefined;
  const nodes = [...root.nodes.filter((node) => !isDraftPage(node)), ...below];
  return { root, nodes, growthBytes: sizeOf(nodes) - sizeOf(root.nodes) };
}

function sizeOf(nodes: readonly DraftNode[]): number {
  return nodes.reduce((sum, node) => sum + bytesOfNode(node) + SEPARATOR_BYTES, 0);
}

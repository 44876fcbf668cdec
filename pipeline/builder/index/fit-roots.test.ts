import { expect, test } from "vitest";
import { COLLECTION_NAMES } from "../../../data/format/collections.ts";
import type { SegmentNode } from "../../../data/format/manifest.ts";
import { fitRoots, type Root, WRITTEN_MANIFEST_BYTES } from "./fit-roots.ts";
import { buildIndex } from "./index-tree.ts";
import { bytesOfNode, type DraftNode, isDraftPage } from "./pages.ts";

const BESIDE_BYTES = 8192;

function partitions(count: number): SegmentNode[] {
  return Array.from({ length: count }, (_, i) => ({
    sha256: i.toString(16).padStart(64, "0"),
    bytes: 100_000,
    pack: "0".repeat(16),
    offset: i,
    rows: 10,
    bbox: [i / 1e4, 0, i / 1e4, 0],
    country: "AA",
    first_id: `${"i".repeat(30)}${i}a`,
    last_id: `${"i".repeat(30)}${i}b`,
    start: i * 10,
    segment: i,
    blocks: 5,
  }));
}

const rootsOf = (runs: number, count: number): Root[] =>
  Array.from({ length: runs }, () => ({ name: "ids", nodes: buildIndex("ids", partitions(count)) }));

const bytesOf = (roots: readonly Root[]): number =>
  roots.flatMap(({ nodes }) => nodes).reduce((sum, node) => sum + bytesOfNode(node), BESIDE_BYTES);

function leavesOf(nodes: readonly DraftNode[]): DraftNode[] {
  return nodes.flatMap((node) => (isDraftPage(node) ? leavesOf(node.members) : [node]));
}

test("many runs of few partitions fit into the manifest, the largest behind a page", () => {
  const roots = rootsOf(2 * COLLECTION_NAMES.length, 32);
  expect(bytesOf(roots)).toBeGreaterThan(WRITTEN_MANIFEST_BYTES);
  fitRoots(roots, BESIDE_BYTES);
  expect(bytesOf(roots)).toBeLessThan(WRITTEN_MANIFEST_BYTES);
  for (const { nodes } of roots) expect(leavesOf(nodes)).toEqual(partitions(32));
});

test("the level below a root moves into the manifest if it fits", () => {
  const roots = rootsOf(1, 12_000);
  expect(roots[0]?.nodes.length).toBeLessThan(6);
  fitRoots(roots, BESIDE_BYTES);
  expect(roots[0]?.nodes.length).toBeGreaterThan(60);
  expect(leavesOf(roots[0]?.nodes ?? [])).toEqual(partitions(12_000));
});

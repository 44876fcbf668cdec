import { expect, test } from "vitest";
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import { type IndexNode, isPage, MAX_PAGE_BYTES, type PartitionNode, parsePage } from "../../data/format/manifest.ts";
import { buildIndex, type IndexTree } from "./index-tree.ts";

function partitions(count: number): PartitionNode[] {
  return Array.from({ length: count }, (_, i) => {
    const [lon, lat] = [((i * 37) % 360) - 180, ((i * 17) % 170) - 85];
    return {
      sha256: i.toString(16).padStart(64, "0"),
      bytes: 1000 + i,
      rows: 10,
      bbox: [lon, lat, lon + 0.5, lat + 0.25] as BBox,
      country: i < count / 2 ? "AA" : "BB",
      first_id: `${i}a`,
      last_id: `${i}b`,
      start: i * 10,
    };
  });
}

/** All partitions below the nodes, in the index's order; checks what pages say of them. */
function walk(tree: IndexTree, nodes: readonly IndexNode[] = tree.nodes): PartitionNode[] {
  return nodes.flatMap((node) => {
    if (!isPage(node)) return [node];
    const text = tree.pages.find(({ sha256 }) => sha256 === node.sha256)?.text ?? "";
    expect(Buffer.byteLength(text)).toBe(node.bytes);
    expect(node.bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    const below = walk(tree, parsePage(JSON.parse(text)));
    expect(node.partitions).toBe(below.length);
    expect(node.rows).toBe(below.length * 10);
    for (const { bbox } of below) expect(bboxUnion([node.bbox, bbox])).toEqual(node.bbox);
    return below;
  });
}

test.each([1, 32, 33, 200, 6000])("%i partitions are all in the index, few nodes at its root", (count) => {
  const all = partitions(count);
  for (const run of ["id", "location"] as const) {
    const tree = buildIndex(run, all);
    expect(tree.nodes.length).toBeLessThanOrEqual(32);
    if (count <= 32) expect(tree.pages).toEqual([]);
    const found = walk(tree);
    expect(new Set(found.map(({ sha256 }) => sha256)).size).toBe(count);
    if (run === "id") expect(found).toEqual(all);
  }
});

test("pages of the id run say their first and last row", () => {
  const [first, last] = [buildIndex("id", partitions(200)).nodes[0], buildIndex("id", partitions(200)).nodes.at(-1)];
  expect(first).toMatchObject({ first: ["AA", "0a"] });
  expect(last).toMatchObject({ last: ["BB", "199b"] });
});

test("pages of the location run cover less ground than pages in the run's order would", () => {
  const area = (boxes: readonly BBox[]): number =>
    boxes.reduce((sum, [west, south, east, north]) => sum + (east - west) * (north - south), 0);
  const all = partitions(1500);
  const packed = buildIndex("location", all).nodes.map(({ bbox }) => bbox);
  const listed = buildIndex("id", all).nodes.map(({ bbox }) => bbox);
  expect(area(packed)).toBeLessThan(area(listed) / 3);
});

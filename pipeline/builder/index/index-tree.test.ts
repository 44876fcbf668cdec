import { expect, test } from "vitest";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { MAX_PAGE_BYTES, type SegmentNode } from "../../../data/format/manifest.ts";
import { buildIndex, lowestLevel } from "./index-tree.ts";
import { bytesOfNode, type DraftNode, isDraftPage } from "./pages.ts";

function partitions(count: number): SegmentNode[] {
  return Array.from({ length: count }, (_, i) => {
    const [lon, lat] = [((i * 37) % 360) - 180, ((i * 17) % 170) - 85];
    return {
      sha256: i.toString(16).padStart(64, "0"),
      bytes: 1000 + i,
      pack: "0".repeat(16),
      offset: i,
      rows: 10,
      bbox: [lon, lat, lon + 0.5, lat + 0.25] as BBox,
      country: i < count / 2 ? "AA" : "BB",
      first_id: `${i}a`,
      last_id: `${i}b`,
      start: i * 10,
      segment: i,
      blocks: 1,
    };
  });
}

/** All partitions below the nodes, in the index's order. Checks the summaries in pages. */
function walk(nodes: readonly DraftNode[]): DraftNode[] {
  return nodes.flatMap((node) => {
    if (!isDraftPage(node)) return [node];
    const sizeBytes = node.members.reduce((sum, member) => sum + bytesOfNode(member) + 2, 4);
    expect(sizeBytes).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    const below = walk(node.members);
    expect(node.partitions).toBe(below.length);
    expect(node.rows).toBe(below.length * 10);
    for (const { bbox } of below) expect(bboxUnion([node.bbox, bbox])).toEqual(node.bbox);
    return below;
  });
}

test.each([1, 32, 33, 200, 6000])("%i partitions are all in the index, with few nodes at its root", (count) => {
  const all = partitions(count);
  for (const run of ["ids", "location"] as const) {
    const nodes = buildIndex(run, all);
    expect(nodes.length).toBeLessThanOrEqual(32);
    expect(nodes.some(isDraftPage)).toBe(count > 32);
    const found = walk(nodes);
    expect(new Set(found).size).toBe(count);
    if (run === "ids") expect(found).toEqual(all);
  }
});

test("pages of ids contain their first and last row", () => {
  const nodes = buildIndex("ids", partitions(200));
  expect(nodes[0]).toMatchObject({ range: { first: ["AA", "0a"] } });
  expect(nodes.at(-1)).toMatchObject({ range: { last: ["BB", "199b"] } });
});

test("pages of the location run cover less area than pages in the run's order", () => {
  const area = (boxes: readonly BBox[]): number =>
    boxes.reduce((sum, [west, south, east, north]) => sum + (east - west) * (north - south), 0);
  const all = partitions(1500);
  const packed = buildIndex("location", all).map(({ bbox }) => bbox);
  const listed = buildIndex("ids", all).map(({ bbox }) => bbox);
  expect(area(packed)).toBeLessThan(area(listed) / 3);
});

test.each(["records", "location", "suggest"] as const)(
  "a whole run of %s has small pages, if they fit the manifest",
  (run) => {
    const all = partitions(240);
    const nodes = lowestLevel(run, all, { isWhole: true });
    expect(nodes.length).toBeGreaterThan(5);
    expect(nodes.length).toBeLessThanOrEqual(32);
    const found = walk(nodes);
    expect(new Set(found).size).toBe(240);
    if (run !== "location") expect(found).toEqual(all);
    expect(lowestLevel(run, all).length).toBeLessThan(4);
    expect(lowestLevel(run, partitions(6000), { isWhole: true })).toEqual(lowestLevel(run, partitions(6000)));
  },
);

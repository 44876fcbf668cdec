import { expect, test } from "vitest";
import { readCellCounts, writeCellCounts } from "../../../data/format/cell-counts.ts";
import { deflate } from "../../builder/packs/index.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { SMALL_PREFIX_ROWS, writeSmallDataset } from "../../testing/small-dataset/index.ts";
import { verifyDataset } from "./verify.ts";

const newFolder = temporaryFolders();

type Blocks = ReturnType<typeof readCellCounts>["blocks"];

async function faultsOf(change: (blocks: Blocks) => void, collection: "place" | "division_area"): Promise<string[]> {
  const folder = await newFolder();
  let isChanged = false;
  await writeSmallDataset(folder, {
    collections: [collection],
    change: {
      counts: (bytes) => {
        if (isChanged) return bytes;
        const { blocks } = readCellCounts(bytes);
        const before = JSON.stringify(blocks);
        change(blocks);
        isChanged = before !== JSON.stringify(blocks);
        return isChanged ? writeCellCounts(blocks, deflate) : bytes;
      },
    },
  });
  expect(isChanged).toBe(true);
  return (await verifyDataset(folder, { prefixRows: SMALL_PREFIX_ROWS })).flatMap(({ faults }) => faults);
}

test("counts of the small dataset are those of its rows", async () => {
  const folder = await newFolder();
  await writeSmallDataset(folder);
  expect((await verifyDataset(folder, { prefixRows: SMALL_PREFIX_ROWS })).flatMap(({ faults }) => faults)).toEqual([]);
});

test("a wrong count, value, row or box is reported", async () => {
  const sectionsOf = (blocks: Blocks, facet: string) =>
    blocks.filter((block) => block.facet === facet).flatMap(({ sections }) => sections);
  const changes: readonly ["place" | "division_area", (blocks: Blocks) => void][] = [
    [
      "place",
      (blocks) => {
        const [section] = sectionsOf(blocks, "total");
        if (section) (section.counts as number[])[0] = 1 + (section.counts[0] ?? 0);
      },
    ],
    [
      "place",
      (blocks) => {
        const block = blocks.find(({ facet }) => facet === "primary");
        if (block) (block.values as string[])[0] = "zoo";
      },
    ],
    [
      "place",
      (blocks) => {
        const section = sectionsOf(blocks, "confidence").find(({ bits }) => bits === 30);
        if (section) (section.codes as number[]).reverse();
      },
    ],
    [
      "division_area",
      (blocks) => {
        const figure = sectionsOf(blocks, "total").flatMap(({ figures = [] }) => figures)[0] as
          | { number: number }
          | undefined;
        if (figure) figure.number += 1;
      },
    ],
  ];
  for (const [collection, change] of changes) {
    const faults = await faultsOf(change, collection);
    expect(faults.join("\n")).toMatch(/count_cell run: \d+ counts are (wrong or have no row|missing), such as/);
  }
});

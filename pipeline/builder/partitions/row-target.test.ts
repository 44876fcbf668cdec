import fc from "fast-check";
import { expect, test } from "vitest";
import { rowTarget, sampleCells } from "./row-target.ts";

test.each([
  [128, 2048],
  [100, 2560],
  [1, 8192],
  [30_000, 256],
])("rows of %d bytes: %d in a partition", (bytesPerRow, rows) => {
  expect(rowTarget(bytesPerRow)).toBe(rows);
});

const cells = fc
  .array(fc.nat({ max: 4000 }), { minLength: 1, maxLength: 80 })
  .map((counts) => counts.map((rows, at) => ({ start: BigInt(at), end: BigInt(at + 1), rows })));

async function* inBatches<Item>(items: readonly Item[], size: number): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

test("cells in batches give the same sample as all cells at once", async () => {
  await fc.assert(
    fc.asyncProperty(cells, fc.integer({ min: 1, max: 40 }), async (all, size) => {
      const picked = await sampleCells(inBatches(all, size));
      expect(picked).toEqual(await sampleCells(inBatches(all, all.length)));
      const fullest = Math.max(...all.map(({ rows }) => rows));
      const full = all.filter(({ rows }) => rows >= Math.min(2048, fullest) / 2);
      expect(picked.length).toBe(Math.min(16, full.length));
      for (const cell of picked) expect(full).toContain(cell);
    }),
  );
});

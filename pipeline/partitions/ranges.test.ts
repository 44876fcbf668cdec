import { expect, test } from "vitest";
import { openDatabase } from "../database/database.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { batchRanges, eachRange, type RowRange } from "./ranges.ts";

const newFolder = temporaryFolders();

/** Ranges of as many rows, one behind the other. */
function rangesOf(...rows: number[]): RowRange[] {
  let start = 0;
  return rows.map((count) => {
    const range = { start, end: start + count };
    start = range.end;
    return range;
  });
}

test("ranges that stand together are a batch, one that is longer is a batch of its own", () => {
  const batches = batchRanges(rangesOf(4, 6, 1, 30, 2, 2), 10);
  expect(batches.map((batch) => batch.map(({ index }) => index))).toEqual([[0, 1], [2], [3], [4, 5]]);
  expect(batchRanges([], 10)).toEqual([]);
});

test("every range is read whole and alone, in its order", async () => {
  const database = await openDatabase({ folder: await newFolder(), threads: 2 });
  await database.run("CREATE TABLE numbers AS SELECT i * 7 AS i FROM range(60_000) t(i)");
  const ranges = rangesOf(1, 20_000, 7000, 9000, 383, 23_616);
  const read: number[][] = [];
  await eachRange(database, "numbers", ranges, async (connection, { inOrder }, { index }) => {
    const rows = await connection.rows<{ i: number }>(`SELECT i FROM ${inOrder}`);
    read[index] = rows.map(({ i }) => i);
  });
  database.close();
  expect(read).toEqual(
    ranges.map(({ start, end }) => Array.from({ length: end - start }, (_, place) => (start + place) * 7)),
  );
});

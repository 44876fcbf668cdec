import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { filesBelow } from "../../base/disk/files.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { type Change, type SmallRow, writeSmallDataset } from "../../testing/small-dataset/index.ts";
import { type Amount, type DiffLine, diffDatasets } from "./diff.ts";

const newFolder = temporaryFolders();

async function write(change: Change = {}): Promise<string> {
  const folder = await newFolder();
  await writeSmallDataset(folder, { change, collections: ["place", "division_area"] });
  return folder;
}

/** A release in which one place of Monaco has another name. */
const renamed = (row: SmallRow): SmallRow =>
  row.id === "mc-010" ? { ...row, columns: { ...row.columns, names: { primary: "Zebra" } } } : row;

let [older, newer] = ["", ""];
beforeAll(async () => {
  older = await write();
  newer = await write({ cells: (cells) => cells.map((cell) => cell.map(renamed)), rows: (rows) => rows.map(renamed) });
});

function sumOf(lines: readonly DiffLine[], member: "uploaded" | "removed" | "packs" | "fetched"): Amount {
  return {
    count: lines.reduce((sum, line) => sum + line[member].count, 0),
    bytes: lines.reduce((sum, line) => sum + line[member].bytes, 0),
  };
}

test("only files that the old folder lacks are uploaded", async () => {
  const lines = await diffDatasets(older, newer);
  const [before, after] = [await filesBelow(older), await filesBelow(newer)];
  const isPack = (path: string) => path !== "manifest.json" && path !== "rejects.parquet";
  const sizes = async (folder: string, paths: readonly string[]): Promise<Amount> => {
    const found = await Promise.all(paths.filter(isPack).map(async (path) => (await stat(join(folder, path))).size));
    return { count: found.length, bytes: found.reduce((sum, size) => sum + size, 0) };
  };
  expect(sumOf(lines, "uploaded")).toEqual(
    await sizes(
      newer,
      after.filter((path) => !before.includes(path)),
    ),
  );
  expect(sumOf(lines, "removed")).toEqual(
    await sizes(
      older,
      before.filter((path) => !after.includes(path)),
    ),
  );
  expect(sumOf(lines, "packs")).toEqual(await sizes(newer, after));
  expect(sumOf(lines, "uploaded").count).toBeGreaterThan(3);
});

test("a reader downloads only slices that it lacks, fewer bytes than the files that contain them", async () => {
  const lines = await diffDatasets(older, newer);
  const of = (what: string) => lines.find((line) => line.collection === "place" && line.what === what);
  expect(of("location")?.fetched.count).toBe(1);
  expect(of("location")?.uploaded.count).toBe(1);
  expect(of("location")?.fetched.bytes).toBeLessThan(of("location")?.uploaded.bytes ?? 0);
  expect(of("records")?.fetched.count).toBe(1);
  expect(of("find")?.fetched).toEqual({ count: 0, bytes: 0 });
  expect(of("count_country")?.uploaded).toEqual({ count: 0, bytes: 0 });
  expect(of("location")?.rows).toEqual({ old: 48, new: 48 });
  expect(
    lines.filter(({ collection }) => collection === "division_area").map(({ uploaded }) => uploaded.count),
  ).not.toContain(1);
});

test("collections in one release only are uploaded or removed completely, and equal releases have no differences", async () => {
  const areas = await newFolder();
  await writeSmallDataset(areas, { collections: ["division_area"] });
  const [gone, come, same] = [
    await diffDatasets(older, areas),
    await diffDatasets(areas, older),
    await diffDatasets(older, older),
  ];
  expect(sumOf(gone, "uploaded").count).toBe(0);
  expect(sumOf(come, "removed").count).toBe(0);
  expect(sumOf(gone, "removed")).toEqual(sumOf(come, "uploaded"));
  expect(sumOf(come, "uploaded").count).toBeGreaterThan(10);
  for (const member of ["uploaded", "removed", "fetched"] as const)
    expect(sumOf(same, member)).toEqual({ count: 0, bytes: 0 });
  expect((await readFile(join(areas, "manifest.json"), "utf8")).includes('"place"')).toBe(false);
});

test("the error names a folder that is not a dataset", async () => {
  const folder = await newFolder();
  await expect(diffDatasets(folder, folder)).rejects.toThrow(`${folder} is not a dataset: it has no manifest.json`);
});

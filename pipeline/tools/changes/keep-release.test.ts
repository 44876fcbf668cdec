import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MANIFEST_PATH } from "../../../data/format/paths.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { smallRows, writeSmallDataset } from "../../testing/small-dataset/index.ts";
import { keepRelease } from "./keep-release.ts";

const newFolder = temporaryFolders();

async function build(omitted: number): Promise<string> {
  const folder = await newFolder();
  const { place = [], ...others } = smallRows();
  await writeSmallDataset(folder, { collections: ["place"], rows: { ...others, place: place.slice(omitted) } });
  return folder;
}

test("another build with the release's name is not kept, and the dataset stays as it was", async () => {
  const [older, dataset, same] = [await build(0), await build(1), await build(1)];
  const manifest = await readFile(join(dataset, MANIFEST_PATH), "utf8");
  await expect(keepRelease(older, dataset)).rejects.toThrow(
    `${older} and ${dataset} are different builds of release small: build one with another --release`,
  );
  await expect(keepRelease(same, dataset)).rejects.toThrow(`${dataset} is release small itself`);
  expect(await readFile(join(dataset, MANIFEST_PATH), "utf8")).toBe(manifest);
});

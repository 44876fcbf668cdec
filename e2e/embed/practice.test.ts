/** The dataset in the script of the ES module is what a build writes. `npx vitest run e2e/embed/practice.test.ts -u` writes it again. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readManifestFile, writeManifestFile } from "../../data/format/manifest-file.ts";
import { filesBelow } from "../../pipeline/base/disk/index.ts";
import { buildDataset } from "../../pipeline/builder/dataset/index.ts";
import { temporaryFolders } from "../../pipeline/testing/folders.ts";
import { practise } from "../../web/embed/practice.ts";

const newFolder = temporaryFolders();

/** Enough for each step of a search, and no more: each visitor downloads it. */
const TABLE = "name,latitude,longitude\nA,1,1\nB,2,2\n";
/** The runs that a search in a circle reads. */
const READ = /^shops\/_(points|records|dictionary)\//;

test("the dataset to practise with is what a build of a table writes", async () => {
  const folder = await newFolder();
  const [file, out] = [join(folder, "shops.csv"), join(folder, "dataset")];
  await writeFile(file, TABLE);
  await buildDataset({ sources: [file], out });
  const manifest = await readManifestFile(await readFile(join(out, "manifest.json")));
  const { shops } = manifest.collections as Record<string, (typeof manifest.collections)["place"]>;
  if (!shops) throw new Error("no collection");
  // from packs, as larger tables
  const { inline: _, texts: __, ...read } = shops;
  const files: Record<string, string> = {
    "manifest.json": Buffer.from(
      await writeManifestFile({ ...manifest, collections: { shops: read } } as never),
    ).toString(),
  };
  for (const path of await filesBelow(out)) {
    if (READ.test(path)) files[path] = (await readFile(join(out, path))).toString("base64");
  }
  await expect(`${JSON.stringify(files, null, 2)}\n`).toMatchFileSnapshot("../../web/embed/practice.json");
  expect(await practise()).toBe(2);
});

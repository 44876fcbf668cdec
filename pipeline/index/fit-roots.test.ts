import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COLLECTION_NAMES } from "../../data/format/collections.ts";
import { type IndexNode, isPage, type Manifest, type PartitionNode, parsePage } from "../../data/format/manifest.ts";
import { pagePath } from "../../data/format/paths.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { fitRoots, WRITTEN_MANIFEST_BYTES } from "./fit-roots.ts";
import { writeIndex } from "./index-tree.ts";
import { writeJson } from "./write-json.ts";

const newFolder = temporaryFolders();

function partitions(count: number): PartitionNode[] {
  return Array.from({ length: count }, (_, i) => ({
    sha256: i.toString(16).padStart(64, "0"),
    bytes: 100_000,
    rows: 10,
    bbox: [i / 1e4, 0, i / 1e4, 0],
    country: "AA",
    first_id: `${"i".repeat(30)}${i}a`,
    last_id: `${"i".repeat(30)}${i}b`,
    start: i * 10,
  }));
}

async function collectionsOf(folder: string, names: readonly (typeof COLLECTION_NAMES)[number][], count: number) {
  const collections: Manifest["collections"] = {};
  for (const collection of names) {
    const location = await writeIndex(folder, { collection, run: "location", partitions: partitions(count) });
    const id = await writeIndex(folder, { collection, run: "id", partitions: partitions(count) });
    collections[collection] = {
      rows: count * 10,
      bbox: [0, 0, 1, 1],
      countries: { AA: count * 10 },
      ignored_columns: [],
      runs: { location, id },
    };
  }
  return collections;
}

/** Partitions below the nodes, in order, and the pages that are passed. */
async function walk(folder: string, nodes: readonly IndexNode[], passed: string[]): Promise<PartitionNode[]> {
  const found: PartitionNode[] = [];
  for (const node of nodes) {
    if (!isPage(node)) found.push(node);
    else {
      const path = pagePath("place", node.sha256);
      passed.push(path);
      found.push(...(await walk(folder, parsePage(JSON.parse(await readFile(join(folder, path), "utf8"))), passed)));
    }
  }
  return found;
}

test("many runs of few partitions fit the manifest, the largest behind a page", async () => {
  const folder = await newFolder();
  const collections = await collectionsOf(folder, COLLECTION_NAMES, 32);
  expect(Buffer.byteLength(writeJson(collections))).toBeGreaterThan(WRITTEN_MANIFEST_BYTES);
  await fitRoots(folder, collections);
  expect(Buffer.byteLength(writeJson(collections))).toBeLessThan(WRITTEN_MANIFEST_BYTES);
  expect(await walk(folder, collections.place?.runs.id.nodes ?? [], [])).toEqual(partitions(32));
});

test("the level below a root is lifted into the manifest where there is room, and its pages go", async () => {
  const folder = await newFolder();
  const collections = await collectionsOf(folder, ["place"], 12_000);
  const { location, id } = collections.place?.runs ?? {};
  expect(id?.nodes.length).toBeLessThan(5);
  await fitRoots(folder, collections);
  expect(id?.nodes.length).toBeGreaterThan(60);
  const passed: string[] = [];
  expect(await walk(folder, id?.nodes ?? [], passed)).toEqual(partitions(12_000));
  await walk(folder, location?.nodes ?? [], passed);
  const written = (await readdir(join(folder, "place/_pages"))).map((name) => `place/_pages/${name}`);
  expect(passed.sort()).toEqual(written.sort());
});

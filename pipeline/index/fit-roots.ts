/**
 * Shares the manifest's room among the indexes of all runs: where there is room for the level below a root, it stands
 * in the manifest instead, and a search is spared a round trip. @module
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionName } from "../../data/format/collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type Manifest,
  type ManifestRun,
  type PageNode,
  parsePage,
} from "../../data/format/manifest.ts";
import { pagePath } from "../../data/format/paths.ts";
import { addLevel, writePages } from "./index-tree.ts";
import { writeJson } from "./write-json.ts";

/** Readers take four times that. */
export const WRITTEN_MANIFEST_BYTES = 256 * 1024;

/**
 * A manifest is fetched by every visit: beyond this size the bytes take longer than the round trip that they spare.
 * 128 KiB are about 50 KB compressed, 20 ms at 20 Mbit/s.
 */
export const MAX_LIFTED_BYTES = 128 * 1024;

/** For attribution and reasons of rejects. */
const OTHER_BYTES = 24 * 1024;

const SEPARATOR_BYTES = 8;

interface Root {
  readonly collection: CollectionName;
  readonly name: AnyRunName;
  readonly run: ManifestRun;
}

/** Gives each run as many nodes in the manifest as fit; pages below the folder are written and removed accordingly. */
export async function fitRoots(folder: string, collections: Manifest["collections"]): Promise<void> {
  const roots = Object.entries(collections).flatMap(([collection, { runs }]) =>
    Object.entries(runs).map(([name, run]) => ({ collection, name, run }) as Root),
  );
  const rootBytes = (): number => roots.reduce((sum, { run }) => sum + sizeOf(run.nodes), 0);
  const besideBytes = OTHER_BYTES + Buffer.byteLength(writeJson(collections)) - rootBytes();
  while (besideBytes + rootBytes() > WRITTEN_MANIFEST_BYTES) await lower(folder, roots);
  for (;;) {
    const left = MAX_LIFTED_BYTES - besideBytes - rootBytes();
    const lifts = await Promise.all(roots.map((root) => liftOf(folder, root)));
    const fitting = lifts.flatMap((lift) => (lift && lift.growthBytes <= left ? [lift] : []));
    const [least] = fitting.sort((a, b) => a.growthBytes - b.growthBytes);
    if (!least) return;
    await lift(folder, least);
  }
}

async function lower(folder: string, roots: readonly Root[]): Promise<void> {
  const [largest] = [...roots].sort((a, b) => sizeOf(b.run.nodes) - sizeOf(a.run.nodes));
  if (!largest || largest.run.nodes.length < 2) throw new Error("the manifest has no room for the roots of all runs");
  const { nodes, pages } = addLevel(largest.name, largest.run.nodes);
  await writePages(folder, largest.collection, pages);
  largest.run.nodes = [...nodes];
}

interface Lift {
  readonly root: Root;
  readonly pages: readonly PageNode[];
  readonly nodes: readonly IndexNode[];
  readonly growthBytes: number;
}

/** Undefined for the last level, whose pages spare readers what they do not need. */
async function liftOf(folder: string, root: Root): Promise<Lift | undefined> {
  const pages = root.run.nodes.filter(isPage);
  const below = await Promise.all(pages.map((page) => readPage(folder, root.collection, page)));
  if (!below.flat().some(isPage)) return undefined;
  const nodes = [...root.run.nodes.filter((node) => !isPage(node)), ...below.flat()];
  return { root, pages, nodes, growthBytes: sizeOf(nodes) - sizeOf(root.run.nodes) };
}

async function lift(folder: string, { root, pages, nodes }: Lift): Promise<void> {
  root.run.nodes = [...nodes];
  for (const { sha256 } of pages) await rm(join(folder, pagePath(root.collection, sha256)));
}

async function readPage(folder: string, collection: CollectionName, { sha256 }: PageNode): Promise<IndexNode[]> {
  return parsePage(JSON.parse(await readFile(join(folder, pagePath(collection, sha256)), "utf8")));
}

function sizeOf(nodes: readonly IndexNode[]): number {
  return nodes.reduce((sum, node) => sum + Buffer.byteLength(JSON.stringify(node)) + SEPARATOR_BYTES, 0);
}

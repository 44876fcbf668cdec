/** What differs between two datasets: what a host has to upload, and a saved area to download. @module */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { COLLECTION_NAMES, type CollectionName } from "../../data/format/collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type Manifest,
  type ManifestRun,
  parseManifest,
} from "../../data/format/manifest.ts";
import { MANIFEST_PATH, pagePath, partitionPath, shapePath } from "../../data/format/paths.ts";
import { walkIndex } from "../../data/format/walk-index.ts";
import { pageReader } from "../index/index.ts";

export interface FileCount {
  readonly files: number;
  readonly bytes: number;
}

export interface DiffLine {
  readonly collection: CollectionName;
  readonly what: AnyRunName | "index pages";
  readonly kept: FileCount;
  readonly added: FileCount;
  readonly removed: FileCount;
}

type Sizes = ReadonlyMap<string, number>;

/** A line for each run and for the index pages of each collection, in the order of collections. */
export async function diffDatasets(older: string, newer: string): Promise<DiffLine[]> {
  const [before, after] = [await readFiles(older), await readFiles(newer)];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const lines = keys.map((key): DiffLine => {
    const [collection, what] = JSON.parse(key) as [CollectionName, DiffLine["what"]];
    const [old, now] = [before.get(key) ?? new Map(), after.get(key) ?? new Map()];
    return {
      collection,
      what,
      kept: countFiles(now, (path) => old.has(path)),
      added: countFiles(now, (path) => !old.has(path)),
      removed: countFiles(old, (path) => !now.has(path)),
    };
  });
  const place = ({ collection }: DiffLine): number => COLLECTION_NAMES.indexOf(collection);
  return lines.sort((a, b) => place(a) - place(b));
}

function countFiles(files: Sizes, isCounted: (path: string) => boolean): FileCount {
  const counted = [...files].filter(([path]) => isCounted(path));
  return { files: counted.length, bytes: counted.reduce((sum, [, bytes]) => sum + bytes, 0) };
}

async function readFiles(dataset: string): Promise<Map<string, Sizes>> {
  const files = new Map<string, Sizes>();
  const { collections } = await readManifest(dataset);
  for (const [name, { runs }] of Object.entries(collections)) {
    const collection = name as CollectionName;
    const pages = new Map<string, number>();
    for (const [run, { nodes }] of Object.entries(runs) as [AnyRunName, ManifestRun][]) {
      const partitions = new Map<string, number>();
      await collect(dataset, { collection, run, pages, partitions }, nodes);
      files.set(JSON.stringify([collection, run]), partitions);
    }
    files.set(JSON.stringify([collection, "index pages"]), pages);
  }
  return files;
}

async function readManifest(dataset: string): Promise<Manifest> {
  const text = await readFile(join(dataset, MANIFEST_PATH), "utf8").catch((cause) => {
    throw new Error(`${dataset} is not a dataset: it has no ${MANIFEST_PATH}`, { cause });
  });
  return parseManifest(JSON.parse(text));
}

interface Collected {
  readonly collection: CollectionName;
  readonly run: AnyRunName;
  readonly pages: Map<string, number>;
  readonly partitions: Map<string, number>;
}

async function collect(dataset: string, into: Collected, nodes: readonly IndexNode[]): Promise<void> {
  const { collection, run, pages, partitions } = into;
  const readPage = pageReader(dataset);
  for await (const node of walkIndex(nodes, ({ sha256 }) => readPage(pagePath(collection, sha256)))) {
    if (isPage(node)) {
      pages.set(pagePath(collection, node.sha256), node.bytes);
      continue;
    }
    partitions.set(partitionPath(collection, run, node), node.bytes);
    if (node.shape) partitions.set(shapePath(collection, node.country, node.shape.sha256), node.shape.bytes);
  }
}

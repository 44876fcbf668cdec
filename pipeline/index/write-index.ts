/**
 * Writes the pages of a run's index.
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CollectionName } from "../../data/format/collections.ts";
import type { AnyRunName, ManifestRun, PartitionNode } from "../../data/format/manifest.ts";
import { pagePath } from "../../data/format/paths.ts";
import { buildIndex, type IndexPage } from "./index-tree.ts";

export interface IndexedRun {
  readonly collection: CollectionName;
  readonly run: AnyRunName;
  /** In the run's order. */
  readonly partitions: readonly PartitionNode[];
}

/** The run as the manifest has it; pages that its index needs are written below the folder. */
export async function writeIndex(folder: string, { collection, run, partitions }: IndexedRun): Promise<ManifestRun> {
  const { nodes, pages } = buildIndex(run, partitions);
  await writePages(folder, collection, pages);
  const bytes = partitions.reduce((sum, partition) => sum + partition.bytes, 0);
  return { partitions: partitions.length, bytes, nodes: [...nodes] };
}

/** Writes index pages under their names. */
export async function writePages(
  folder: string,
  collection: CollectionName,
  pages: readonly IndexPage[],
): Promise<void> {
  for (const { sha256, text } of pages) {
    const path = join(folder, pagePath(collection, sha256));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/**
 * Finds where rows are, from a small part of the index.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { isPage } from "../../../data/format/manifest.ts";
import { readLevels } from "./prefetch-index.ts";
import { type Index, leavesOf } from "./tree.ts";

export interface RowBox {
  /** Contains the bboxes of all its rows. */
  readonly bbox: BBox;
  readonly rows: number;
  /** ISO 3166-1 alpha-2. Only of a partition, because an index page may contain several countries. */
  readonly country?: string;
}

export interface RowBoxesOptions {
  /** Limit on the bytes of index pages to read. A page that is not read is returned as one box. */
  readonly maxBytes: number;
}

/** Returns the boxes of the collections' partitions, and of index pages that `maxBytes` excludes. Ignores missing collections. */
export async function rowBoxes(
  index: Index,
  collections: readonly CollectionName[],
  { maxBytes }: RowBoxesOptions,
): Promise<RowBox[]> {
  const boxes: RowBox[] = [];
  let leftBytes = maxBytes;
  for (const collection of collections) {
    leftBytes = await readLevels(index, collection, leftBytes);
    for (const { node } of leavesOf(index, { collection, run: "location" }, () => true)) {
      const { bbox, rows } = node;
      boxes.push({ bbox, rows, ...(isPage(node) ? {} : { country: node.country }) });
    }
  }
  return boxes;
}

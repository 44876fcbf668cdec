/**
 * Where rows lie, as far as the index tells without much being read.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { isPage } from "../../../data/format/manifest.ts";
import { readLevels } from "./prefetch-index.ts";
import { type Index, leavesOf } from "./tree.ts";

export interface RowBox {
  /** Holds the boxes of all of the rows. */
  readonly bbox: BBox;
  readonly rows: number;
  /** Of a partition; what an index page holds may be of several. */
  readonly country?: string;
}

export interface RowBoxesOptions {
  /** Most bytes of index pages that are read: of what lies below others, their boxes are told. */
  readonly maxBytes: number;
}

/** The boxes of the collections' partitions, in no order; nothing of a collection that the dataset lacks. */
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

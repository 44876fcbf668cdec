/**
 * Groups of records from the texts in the manifest. A small collection has them there, so its first search needs no other file.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { ManifestCollection } from "../../../data/format/manifest.ts";
import type { RowPoints } from "../../../data/format/points.ts";
import { recordPositionOf, type StoredRecord } from "../../../data/format/records.ts";
import { readTexts } from "../../../data/format/texts.ts";
import { findPartitions, type Index, type PartitionRef } from "../index-tree/tree.ts";

interface Reads extends Index {
  readPoints(ref: PartitionRef<"location">): Promise<RowPoints>;
}

interface TextGroup {
  readonly blocks: number;
  readonly records: StoredRecord[];
}

type Groups = ReadonlyMap<number, ReadonlyMap<number, TextGroup>>;

/** By the collection in the manifest. */
const opened = new WeakMap<ManifestCollection, Groups>();

/** Returns the groups of a chunk by first block, as far as the manifest contains them. Throws like `readPoints`. */
export async function textGroups(
  session: Reads,
  { collection, node }: PartitionRef<"records">,
): Promise<ReadonlyMap<number, TextGroup>> {
  const own = session.manifest.collections[collection];
  if (own?.texts === undefined) return new Map();
  const groups = opened.get(own) ?? (await groupsOf(session, collection));
  opened.set(own, groups);
  return groups.get(node.chunk) ?? new Map();
}

/** By chunk and first block. Damaged texts have no groups: the packs have the records too. */
async function groupsOf(session: Reads, collection: CollectionName): Promise<Groups> {
  const { texts: stored = "", rows: count = 0 } = session.manifest.collections[collection] ?? {};
  const reading = readTexts(stored, count).catch(() => undefined);
  const slices = await findPartitions(session, { collection, run: "location" }, () => true);
  const points = await Promise.all(slices.map((slice) => session.readPoints(slice)));
  const texts = await reading;
  if (!texts) return new Map();
  const chunks = new Map<number, Map<number, TextGroup>>();
  let ordinal = 0;
  for (const [index, { rows, address, blocks, geometry }] of points.entries()) {
    for (let row = 0; row < rows; row++) {
      const { chunk, block } = recordPositionOf(address(row, slices[index]?.node.record ?? 0));
      const groups = chunks.get(chunk) ?? new Map<number, TextGroup>();
      chunks.set(chunk, groups);
      const group = groups.get(block) ?? { blocks: blocks(row), records: [] };
      groups.set(block, group);
      group.records.push({ json: texts[ordinal++] ?? new Uint8Array(), geometry: geometry(row) });
    }
  }
  return chunks;
}

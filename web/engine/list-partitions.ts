/**
 * Partitions of the primary copy for whoever reads them whole.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import { isPage } from "../../data/format/manifest.ts";
import { EngineError } from "./contract/errors.ts";
import type { ListedPartition, PartitionList, WantedRows } from "./contract/row-condition.ts";
import { findPartitions } from "./index-tree/tree.ts";
import { mayHoldRows } from "./plan/may-hold.ts";
import type { Session } from "./store/session.ts";

/** The partitions that can hold the wanted rows. Of a collection that is wanted twice, those of either. */
export async function listPartitions(session: Session, wanted: readonly WantedRows[]): Promise<PartitionList> {
  const collections = [...new Set(wanted.map(({ collection }) => collection))];
  const stamps: Partial<Record<CollectionName, string>> = {};
  const lists = await Promise.all(
    collections.map(async (collection): Promise<ListedPartition[]> => {
      const entry = session.manifest.collections[collection];
      if (!entry) throw new EngineError(`the dataset has no collection ${collection}`);
      stamps[collection] = entry.runs.location.nodes.map(({ sha256 }) => sha256.slice(0, 16)).join();
      const own = wanted.filter((rows) => rows.collection === collection);
      const found = await findPartitions(session, { collection, run: "location" }, (node) => {
        const below = { bbox: node.bbox, ...(isPage(node) ? {} : { country: node.country }) };
        return own.some(({ condition }) => mayHoldRows(condition, below));
      });
      return found.map(({ node }) => ({ collection, node }));
    }),
  );
  return { partitions: lists.flat(), stamps };
}

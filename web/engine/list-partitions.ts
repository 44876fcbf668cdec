/**
 * Lists partitions of the primary copy for callers that read them whole.
 * @module
 */
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { isPage } from "../../data/format/manifest.ts";
import { EngineError } from "./contract/errors.ts";
import type {
  BoxMember,
  Comparison,
  ListedPartition,
  PartitionList,
  RowCondition,
  WantedRows,
} from "./contract/row-condition.ts";
import { findPartitions } from "./index-tree/tree.ts";
import type { Session } from "./store/session.ts";

/**
 * Returns the partitions of the primary copy that can contain wanted rows. Of several conditions on one collection, one must
 * hold. Throws `EngineError` for a collection that the dataset does not have.
 */
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

/** The rows below a node: `bbox` contains all their bboxes, or crosses the antimeridian. A page of the index has no country. */
interface RowsBelow {
  readonly bbox: BBox;
  readonly country?: string;
}

/** Returns false only if no row below the node can meet the condition. */
export function mayHoldRows(condition: RowCondition, below: RowsBelow): boolean {
  if (condition.kind === "all") return condition.of.every((part) => mayHoldRows(part, below));
  if (condition.kind === "any") return condition.of.some((part) => mayHoldRows(part, below));
  const { bbox, country } = below;
  if (condition.kind === "crossing") return mayCross(bbox);
  if (condition.kind === "box") {
    return isWithin<number>(rangeOf(condition.member, bbox), condition.comparison, condition.value);
  }
  return country === undefined || isWithin<string>([country, country], condition.comparison, condition.value);
}

function rangeOf(member: BoxMember, bbox: BBox): readonly [number, number] {
  const [west, south, east, north] = bbox;
  if (member === "ymin" || member === "ymax") return [south, north];
  return mayCross(bbox) ? [-180, 180] : [west, east];
}

/** A row that crosses the antimeridian is wide or makes its node wide. */
function mayCross([west, , east]: BBox): boolean {
  return west > east || (west <= -180 && east >= 180);
}

/** Whether the comparison can be true for a value in the range. */
function isWithin<T extends number | string>(
  [least, most]: readonly [T, T],
  comparison: Comparison,
  value: T,
): boolean {
  if (comparison === "=") return least <= value && most >= value;
  if (comparison === "!=") return least !== value || most !== value;
  if (comparison === "<") return least < value;
  if (comparison === "<=") return least <= value;
  return comparison === ">" ? most > value : most >= value;
}

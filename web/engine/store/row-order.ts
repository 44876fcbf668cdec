/**
 * The order of answers.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { compareIds } from "../../../data/format/ids.ts";
import type { RowRef } from "./rows.ts";

/** The rows by distance, where they have one, then by id; of equal ids that of the earlier collection comes first. */
export function sortRows(refs: readonly RowRef[], collections: readonly CollectionName[]): RowRef[] {
  const keyed = refs.map((ref) => ({
    ref,
    distanceMeters: ref.distanceMeters ?? 0,
    id: ref.rows.id(ref.row),
    place: collections.indexOf(ref.rows.collection),
  }));
  return keyed
    .sort((a, b) => a.distanceMeters - b.distanceMeters || compareIds(a.id, b.id) || a.place - b.place)
    .map(({ ref }) => ref);
}

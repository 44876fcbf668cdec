/**
 * Searches without an index: reads every partition of the primary copy that can contain a match.
 * @module
 */
import { areaOfBox } from "../../../data/format/area.ts";
import { createAreaTest } from "../../../data/format/area-test.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { isPage } from "../../../data/format/manifest.ts";
import { type Countries, isInCountries, type Query } from "../contract/query.ts";
import { findPartitions } from "../index-tree/tree.ts";
import { readRowsOf } from "../store/addressed-rows.ts";
import { sortRows } from "../store/row-order.ts";
import type { Session } from "../store/session.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { boundTestedRows, testRows } from "../terms/filter.ts";
import type { FoundPage } from "./row-list.ts";

/**
 * Returns the page of the matching rows, in the order of ids, then of collections, and the number of all of them. Does not read
 * partitions outside the query's box or countries. Throws `TooManyRowsError` before it would read more rows than `maxTestedRows`.
 */
export async function scanRows(session: Session, query: Query): Promise<FoundPage> {
  const { collections, country, filters = {}, maxPartitionBytes = Number.POSITIVE_INFINITY, offset, limit } = query;
  const area = filters.bbox && createAreaTest(areaOfBox(filters.bbox));
  const found = await Promise.all(
    collections.map((collection) =>
      findPartitions(session, { collection, run: "location" }, (node) => {
        if (area && !area.reaches(node.bbox)) return false;
        return isPage(node) || (node.bytes <= maxPartitionBytes && isInCountries(node.country, country));
      }),
    ),
  );
  boundTestedRows(
    query,
    found.flat().reduce((sum, { node }) => sum + node.rows, 0),
  );
  const matching = await Promise.all(
    found.flatMap((refs) =>
      refs.map(async (ref) => {
        const rows = await readRowsOf(session, ref);
        const isMatch = await testRows(rows, filters);
        return rows.filter(isMatch);
      }),
    ),
  );
  const all = await inTurn(() => sortRows(matching.flat(), collections));
  return { total: all.length, rows: all.slice(offset, offset + limit) };
}

/** Estimates the bytes of the partitions of the primary copy with rows of the countries. Undefined means all countries. */
export function bytesOfScan(
  { manifest }: Session,
  collection: CollectionName,
  countries: Countries | undefined,
): number {
  const entry = manifest.collections[collection];
  if (!entry) return 0;
  const own = Object.entries(entry.countries).filter(([code]) => isInCountries(code, countries));
  const rows = countries === undefined ? entry.rows : own.reduce((sum, [, each]) => sum + each, 0);
  return (entry.runs.location.bytes * rows) / Math.max(1, entry.rows);
}

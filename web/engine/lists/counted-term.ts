/**
 * A term with many rows: the index contains their number, and only the slices with rows of the page are read.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Query } from "../contract/query.ts";
import type { Session } from "../store/session.ts";
import { canAskTerms, isKnownByTerms } from "../terms/conditions.ts";
import { numbersInRange, type RowNumbers } from "../terms/posting-lists.ts";
import { postingRangeOf, rowsOf } from "../terms/term-index.ts";

/** The numbers of a page's rows, and the number of all rows with the term. */
export interface CountedPage {
  readonly total: number;
  readonly numbers: RowNumbers;
}

/** Returns the page if a term is the only condition in a country and fills its own slices; otherwise undefined. */
export async function countedRangeOf(
  session: Session,
  collection: CollectionName,
  { country, filters = {}, offset, limit }: Query,
): Promise<CountedPage | undefined> {
  const [clause, ...others] = filters.terms ?? [];
  const [term] = clause ?? [];
  if (typeof country !== "string" || term === undefined || clause?.length !== 1 || others.length > 0) return undefined;
  if (session.manifest.collections[collection]?.countries[country] === undefined) return undefined;
  if (!isKnownByTerms(filters) || !canAskTerms(session.manifest, collection, country, filters)) return undefined;
  const run = { session, collection, run: "term", country } as const;
  const range = await postingRangeOf(run, term);
  if (!range.isCounted) return undefined;
  const partitions = range.partitions.filter(({ start, rows }) => start + rows > offset && start < offset + limit);
  const before = partitions[0]?.start ?? offset;
  const numbers = await numbersInRange(run, { ...range, partitions });
  return { total: rowsOf([range]), numbers: numbers.subarray(offset - before, offset - before + limit) };
}

/**
 * The rows of a term: full ones from the term run, light ones by id from the id run.
 * @module
 */
import { compareIds } from "../../../data/format/ids.ts";
import { firstIndex } from "../../../data/format/sorted.ts";
import { columnOf, onlyBatch } from "../arrow/columns.ts";
import { createJsonReader } from "../arrow/json-reader.ts";
import { EngineError } from "../contract/errors.ts";
import type { RowRef } from "../order/executor.ts";
import { idPartitions, rowOfId } from "../store/id-run.ts";
import type { Partition } from "../store/partition.ts";
import { inTurn } from "../tasks/in-turn.ts";
import type { TermPlace, TermRun } from "./term-index.ts";

/** A row of the term run. */
export interface Posting {
  readonly id: string;
  readonly partition: Partition;
  readonly row: number;
  /** Country under which the id run has the row's columns, when they are not here. */
  readonly lightCountry?: string;
}

/** The rows of the place in these partitions of it, each id once, in the order of ids. */
export async function readPostings(
  { session, collection, run }: TermRun,
  { first, last, partitions }: TermPlace,
): Promise<Posting[]> {
  const opened = await Promise.all(partitions.map((node) => session.readPartition({ collection, run, node })));
  const byId = new Map<string, Posting>();
  for (const partition of opened) {
    await inTurn(() => {
      for (const posting of postingsIn(partition, first, last))
        if (!byId.has(posting.id)) byId.set(posting.id, posting);
    });
  }
  return inTurn(() => [...byId.values()].sort((a, b) => compareIds(a.id, b.id)));
}

/** The rows of several places, each id once, in the order of ids. */
export async function readPostingsOf(run: TermRun, places: readonly TermPlace[]): Promise<readonly Posting[]> {
  const lists = await Promise.all(places.map((place) => readPostings(run, place)));
  if (lists.length === 1) return lists[0] ?? [];
  const byId = new Map(lists.flat().map((posting) => [posting.id, posting]));
  return [...byId.values()].sort((a, b) => compareIds(a.id, b.id));
}

/** The rows of the partition under the terms from `first` to `last`. */
function* postingsIn(partition: Partition, first: string, last: string): Generator<Posting> {
  const batch = onlyBatch(partition.table);
  const [term, isLight, country] = ["term", "is_light", "row_country"].map((name) =>
    createJsonReader(columnOf(batch, name)),
  );
  // rows are in the order of their terms
  const start = firstIndex(partition.rows, (row) => compareIds(String(term?.(row)), first) >= 0);
  const end = firstIndex(partition.rows, (row) => compareIds(String(term?.(row)), last) > 0);
  for (let row = start; row < end; row++) {
    const posting = { id: partition.id(row), partition, row };
    yield isLight?.(row) === true ? { ...posting, lightCountry: String(country?.(row)) } : posting;
  }
}

/** The postings as rows that have their columns, in the same order. */
export async function resolvePostings(
  { session, collection }: TermRun,
  postings: readonly Posting[],
): Promise<RowRef[]> {
  return Promise.all(
    postings.map(async ({ id, partition, row, lightCountry: country }): Promise<RowRef> => {
      if (country === undefined) return { partition, row };
      for (const ref of await idPartitions(session, { collection, country }, id)) {
        const whole = await session.readPartition(ref);
        const found = rowOfId(whole, id);
        if (found !== undefined) return { partition: whole, row: found };
      }
      throw new EngineError(`term run of ${collection} names ${id} in ${country}, which the id run does not have`);
    }),
  );
}

/**
 * Looks rows up by id: the find run has the number of a row by a hash of its id.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import { spellKey } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { sha256Of } from "../../data/format/sha256.ts";
import { readNumbered } from "./store/numbered-rows.ts";
import type { RowRef } from "./store/rows.ts";
import type { Session } from "./store/session.ts";
import { placeOf } from "./terms/term-index.ts";

/** The row with this id, of the first of the collections that has one; undefined when none has. */
export async function findRow(
  session: Session,
  collections: readonly CollectionName[],
  id: string,
): Promise<RowRef | undefined> {
  const key = await keyOfId(id);
  const found = await Promise.all(
    collections.map(async (collection) => {
      const rows = await readNumbered(session, collection, await numbersOfKey(session, collection, key));
      return rows.find(({ rows, row }) => rows.id(row) === id);
    }),
  );
  return found.find((row) => row !== undefined);
}

/** Numbers of the rows whose ids have this hash: two ids may share one. */
async function numbersOfKey(session: Session, collection: CollectionName, key: number): Promise<readonly number[]> {
  const spelled = spellKey(key);
  const run = { session, collection, run: "find", country: ALL_COUNTRIES } as const;
  const { partitions } = await placeOf(run, { first: spelled, last: spelled });
  const numbers: number[] = [];
  for (const node of partitions) {
    const table = await session.readTable({ collection, run: "find", node }, ["gap", "number"]);
    let at = 0;
    for (const [row, gap] of (table.gap ?? []).entries()) {
      at += Number(gap);
      if (at > key) break;
      if (at === key) numbers.push(Number(table.number?.[row]));
    }
  }
  return numbers;
}

/** The first 32 bits of the SHA-256 of the id. */
async function keyOfId(id: string): Promise<number> {
  const hash = await sha256Of(new TextEncoder().encode(id));
  return Number.parseInt(hash.slice(0, 8), 16);
}

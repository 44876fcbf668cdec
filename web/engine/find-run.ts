/**
 * Looks rows up by id: the find run tells which country a row stands under, by a hash of its id; the id run has the row.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import { spellKey } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { columnOf, onlyBatch } from "./arrow/columns.ts";
import { createJsonReader } from "./arrow/json-reader.ts";
import type { RowRef } from "./order/executor.ts";
import { idPartitions, rowOfId } from "./store/id-run.ts";
import type { Session } from "./store/session.ts";
import { placeOf } from "./terms/term-index.ts";

/** The row with this id, of the first of the collections that has one; undefined when none has. */
export async function findRow(
  session: Session,
  collections: readonly CollectionName[],
  id: string,
): Promise<RowRef | undefined> {
  const places = await Promise.all(
    collections.map(async (collection) => ({ collection, countries: await countriesOfId(session, collection, id) })),
  );
  for (const { collection, countries = [undefined] } of places) {
    const candidates = await Promise.all(
      countries.map((country) => idPartitions(session, { collection, country }, id)),
    );
    for (const partition of await Promise.all(candidates.flat().map((ref) => session.readPartition(ref)))) {
      const row = rowOfId(partition, id);
      if (row !== undefined) return { partition, row };
    }
  }
  return undefined;
}

/**
 * Countries that may have a row of the collection with this id, few of them wrong: two ids may share a hash. Undefined
 * when the collection has no find run.
 */
async function countriesOfId(
  session: Session,
  collection: CollectionName,
  id: string,
): Promise<readonly string[] | undefined> {
  if (!session.manifest.collections[collection]?.runs.find) return undefined;
  const key = await keyOfId(id);
  const spelled = spellKey(key);
  const run = { session, collection, run: "find", country: ALL_COUNTRIES } as const;
  const { partitions } = await placeOf(run, { first: spelled, last: spelled });
  const countries = new Set<string>();
  for (const node of partitions) {
    const batch = onlyBatch(await session.readTable({ collection, run: "find", node }));
    const keys = columnOf(batch, "key").values as Uint32Array;
    const country = createJsonReader(columnOf(batch, "country"));
    for (let row = keys.indexOf(key); row >= 0 && keys[row] === key; row++) countries.add(String(country(row)));
  }
  return [...countries];
}

/** The first 32 bits of the SHA-256 of the id. */
async function keyOfId(id: string): Promise<number> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
  return new DataView(digest).getUint32(0);
}

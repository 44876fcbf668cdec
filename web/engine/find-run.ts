/**
 * Finds rows by id: the find run maps a hash of the id to the address of a record. Where that run cannot be read, as in a
 * saved area, a row with a known position is found there.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import { spellKey } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { sha256Of } from "../../data/format/sha256.ts";
import { FetchError } from "./contract/errors.ts";
import type { Circle } from "./contract/query.ts";
import { searchRows } from "./search.ts";
import { type RecordRef, readAddressed } from "./store/addressed-rows.ts";
import type { RowRef } from "./store/rows.ts";
import type { Session } from "./store/session.ts";
import { postingRange } from "./terms/term-index.ts";

/** A representative point, degrees WGS84. */
export type Position = Pick<Circle, "lon" | "lat">;

export interface WantedRow {
  readonly collections: readonly CollectionName[];
  readonly id: string;
  readonly near?: Position | undefined;
}

/**
 * Returns the row with this id from the first collection that has it; undefined for an unknown id. If the index of ids cannot be
 * read, searches at `near`, and throws the `FetchError` if the row is not there.
 */
export async function findRow(session: Session, { collections, id, near }: WantedRow): Promise<RowRef | undefined> {
  try {
    return await findByKey(session, collections, id);
  } catch (error) {
    if (!near || !(error instanceof FetchError) || session.signal.aborted) throw error;
    const row = await findNear(session, { collections, id, near }).catch(() => undefined);
    // a miss near the position does not mean that the id is unknown
    if (!row) throw error;
    return row;
  }
}

/** Radius of the search: a position in a URL of the page is rounded to 0.1 m. */
const NEAR_METERS = 1;
/** Rows read at once: all units of a tower have the same point. */
const PAGE_ROWS = 1000;

async function findNear(
  session: Session,
  { collections, id, near }: WantedRow & { readonly near: Position },
): Promise<RowRef | undefined> {
  const query = { collections, circle: { ...near, radiusMeters: NEAR_METERS }, limit: PAGE_ROWS };
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const { rows, total } = await searchRows(session, { ...query, offset });
    const found = rows.find((row) => row.rows.id(row.row) === id);
    // only searches have a distance
    if (found) return { rows: found.rows, row: found.row };
    if (offset + PAGE_ROWS >= total) return undefined;
  }
}

async function findByKey(
  session: Session,
  collections: readonly CollectionName[],
  id: string,
): Promise<RowRef | undefined> {
  const key = await keyOfId(id);
  const found = await Promise.all(
    collections.map(async (collection) => {
      const rows = await readAddressed(session, collection, await recordsOfKey(session, collection, key));
      return rows.find(({ rows, row }) => rows.id(row) === id);
    }),
  );
  return found.find((row) => row !== undefined);
}

/** Records of the rows whose ids have this hash: two ids may share one. */
async function recordsOfKey(session: Session, collection: CollectionName, key: number): Promise<readonly RecordRef[]> {
  const spelled = spellKey(key);
  const run = { session, collection, run: "find", country: ALL_COUNTRIES } as const;
  const { partitions } = await postingRange(run, { first: spelled, last: spelled });
  const records: RecordRef[] = [];
  for (const node of partitions) {
    const table = await session.readTable({ collection, run: "find", node }, ["gap", "address"]);
    let at = 0;
    for (const [row, gap] of (table.gap ?? []).entries()) {
      at += Number(gap);
      if (at > key) break;
      if (at === key) records.push({ address: Number(table.address?.[row]) });
    }
  }
  return records;
}

/** The first 32 bits of the SHA-256 of the id. */
async function keyOfId(id: string): Promise<number> {
  const hash = await sha256Of(new TextEncoder().encode(id));
  return Number.parseInt(hash.slice(0, 8), 16);
}

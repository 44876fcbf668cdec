/**
 * Counts rows exactly, from the run `count_cell` (stored counts per geohash cell). For queries that it cannot answer, and in
 * saved areas, which do not store it, rows are read if they are few enough. @module
 */
import { type CellFacet, type CellRow, cellFacetsOf } from "../../data/format/cell-levels.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { encodeGeohash, spellGeohash } from "../../data/format/geohash.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import { readStoredGeometry } from "../../data/format/stored-geometry.ts";
import {
  type CollectionCount,
  countCells,
  createTally,
  planCount,
  regionsOf,
  type Tally,
} from "./cells/count-cells.ts";
import { CountLimitError, FetchError } from "./contract/errors.ts";
import type { CountQuery, CountResult } from "./contract/query.ts";
import { everythingOf, searchRows } from "./search.ts";
import type { RowRef } from "./store/rows.ts";
import type { Session } from "./store/session.ts";
import { eachInTurn } from "./tasks/in-turn.ts";
import { searchable } from "./terms/conditions.ts";

/** Maximum number of rows that are read to count them. */
const MAX_READ_ROWS = 25_000;

/** Maximum number of rows of saved areas that are read to count them. No network is needed, but it takes some seconds. */
const MAX_SAVED_ROWS = 250_000;

/**
 * Counts the rows of the query, in all and by group. Throws like `Dataset.search`, and `CountLimitError` if counting needs more
 * bytes or rows than allowed.
 */
export async function countRows(session: Session, query: CountQuery): Promise<CountResult> {
  const tally = createTally(query.group);
  const regions = await regionsOf(session, query);
  const collections = searchable(session.manifest, query);
  const [others, offline]: [CollectionName[], CollectionName[]] = [[], []];
  for (const collection of collections) {
    const plan = planCount(session, collection, query);
    const count = plan && { collection, country: query.country, regions, plan, tally };
    if (!count) others.push(collection);
    else if (!(await isCounted(session, count))) offline.push(collection);
  }
  if (others.length > 0)
    await countByRows(session, { ...query, collections: others }, { tally, maxRows: MAX_READ_ROWS });
  if (offline.length > 0)
    await countByRows(session, { ...query, collections: offline }, { tally, maxRows: MAX_SAVED_ROWS });
  session.signal.throwIfAborted();
  return { ...tally.result(), release: session.manifest.release };
}

/** Counts by cells. Returns false and adds nothing if no host answers: a saved area may then have the rows. */
async function isCounted(session: Session, count: CollectionCount): Promise<boolean> {
  try {
    await countCells(session, count);
    return true;
  } catch (error) {
    if (error instanceof FetchError && error.isUnanswered) return false;
    throw error;
  }
}

/** Counts rows of a search. Without groups it reads no more than the search. */
async function countByRows(
  session: Session,
  asked: CountQuery,
  { tally, maxRows }: { readonly tally: Tally; readonly maxRows: number },
): Promise<void> {
  const { group, areas = [], ...query } = asked;
  const search = everythingOf({ ...query, offset: 0, limit: 0 });
  const { total } = await searchRows(session, { ...search, limit: 0 });
  if (!group && areas.length === 0) return tally.addRows(total);
  if (total > maxRows) {
    throw new CountLimitError(
      `${total} rows would be read to count them, at most ${maxRows} may be: filter by one of the values that the dataset counts (category, brand, min_confidence, class, subtype, level, columns with lists of values), or count a smaller area`,
    );
  }
  const { rows } = await searchRows(session, search);
  const regions = await regionsOf(session, { collections: query.collections, areas });
  const facetOf = new Map<string, CellFacet | undefined>();
  await eachInTurn(rows, ({ rows: own, row }) => {
    const geometry = own.geometry(row);
    if (!regions.every((region) => region.metersOf(geometry) < Number.POSITIVE_INFINITY)) return;
    tally.addRows(1);
    if (group?.by === "country") tally.addGroup(own.country, 1);
    if (group?.by === "cell") {
      const [lon = 0, lat = 0] = representativePoint(readStoredGeometry(geometry)) ?? [];
      tally.addGroup(spellGeohash(encodeGeohash(lon, lat), 5 * group.chars), 1);
    }
    if (group?.by !== "facet") return;
    if (!facetOf.has(own.collection)) {
      facetOf.set(
        own.collection,
        cellFacetsOf(own.schema).find(({ name }) => name === group.facet),
      );
    }
    const facet = facetOf.get(own.collection);
    for (const value of facet ? facet.valuesOf(columnsOf({ rows: own, row }, facet)) : []) tally.addGroup(value, 1);
  });
}

function columnsOf({ rows, row }: RowRef, { columns }: CellFacet): CellRow {
  return Object.fromEntries(columns.map((name) => [name, rows.column(name)?.read(row) ?? null])) as CellRow;
}

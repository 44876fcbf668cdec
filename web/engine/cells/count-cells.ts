/**
 * Counts rows from the run `count_cell`: stored counts of cells inside the region are added, and the rows of cells on its
 * boundary are measured as in a search. @module
 */
import { areaOfBox } from "../../../data/format/area.ts";
import { boxesTest } from "../../../data/format/boxes-test.ts";
import { FINE_BITS } from "../../../data/format/cell-counts.ts";
import { type CellFacet, cellFacetsOf, TOTAL } from "../../../data/format/cell-levels.ts";
import { type CollectionName, POINT_COLLECTIONS } from "../../../data/format/collections.ts";
import { GEOHASH_BITS, SIZE_CLASS_BITS, spellGeohash } from "../../../data/format/geohash.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { collectionIn } from "../../../data/format/own-collections.ts";
import { ManifestError } from "../contract/errors.ts";
import type { CountGroup, CountQuery, CountResult, Countries, Query } from "../contract/query.ts";
import { preparedRegionOf, type Region } from "../plan/region.ts";
import type { Session } from "../store/session.ts";
import { eachInTurn, inTurn } from "../tasks/in-turn.ts";
import { cellKey, measureBoundary } from "./boundary.ts";
import { type CellCondition, cellConditionsOf } from "./conditions.ts";
import { type CellRange, type Cover, coverRegions, inOrder } from "./cover.ts";
import { type CountedCell, readCells } from "./tables.ts";

/** Adds up the counts of an answer. */
export interface Tally {
  /** Adds rows to the total, not to a group. */
  addRows(rows: number): void;
  /** Adds rows to a group, not to the total. */
  addGroup(key: string, rows: number): void;
  result(): Pick<CountResult, "total" | "groups">;
}

/** Creates an empty tally. `result` returns the groups largest first, then by key; geohash cells by key only. */
export function createTally(group: CountGroup | undefined): Tally {
  const groups = new Map<string, number>();
  let total = 0;
  return {
    addRows(rows) {
      total += rows;
    },
    addGroup(key, rows) {
      groups.set(key, (groups.get(key) ?? 0) + rows);
    },
    result() {
      const all = Array.from(groups, ([key, rows]) => ({ key, rows }));
      const byKey = (a: { key: string }, b: { key: string }) => compareIds(a.key, b.key);
      return { total, groups: all.sort((a, b) => (group?.by === "cell" ? 0 : b.rows - a.rows) || byKey(a, b)) };
    },
  };
}

/**
 * Returns the regions of which a row must be in each: the circle with the area, each further area, and the box of the filters.
 * The list is empty if the query is not limited to a region.
 */
export async function regionsOf(
  session: Session,
  { circle, area, areas = [], filters }: CountQuery,
): Promise<Region[]> {
  const box = filters?.bbox;
  const wanted = [
    { circle, area },
    ...areas.map((each) => ({ area: each })),
    ...(box ? [{ area: areaOfBox(box) }] : []),
  ];
  const regions: Region[] = [];
  for (const { area: own, circle: around } of wanted as readonly Pick<Query, "circle" | "area">[]) {
    const asked = { ...(around ? { circle: around } : {}), ...(own ? { area: own } : {}) };
    const region = await preparedRegionOf(asked, session.signal);
    if (region) regions.push(region);
  }
  return regions;
}

export interface CountPlan {
  readonly conditions: readonly CellCondition[];
  readonly group: CountGroup | undefined;
  /** The facet to group by. Undefined if the collection lacks it, or for groups that are no facet. */
  readonly groupFacet: CellFacet | undefined;
  /** Whether the values of each single row are needed, because several facets are combined. */
  readonly needsRows: boolean;
}

/** Returns how to count from the run `count_cell`; undefined if the collection has no such run, or the run lacks a value. */
export function planCount(
  { manifest }: Session,
  collection: CollectionName,
  { filters, group }: CountQuery,
): CountPlan | undefined {
  if (!manifest.collections[collection]?.runs.count_cell) return undefined;
  const facets = cellFacetsOf(collectionIn(manifest, collection));
  const conditions = cellConditionsOf(facets, filters);
  if (!conditions) return undefined;
  const groupFacet = group?.by === "facet" ? facets.find(({ name }) => name === group.facet) : undefined;
  const isJoint = conditions.length > 1 || conditions.some(({ isAdditive }) => !isAdditive);
  return { conditions, group, groupFacet, needsRows: isJoint || (conditions.length > 0 && groupFacet !== undefined) };
}

export interface CollectionCount {
  readonly collection: CollectionName;
  readonly country: Countries | undefined;
  readonly regions: readonly Region[];
  readonly plan: CountPlan;
  readonly tally: Tally;
}

/**
 * Counts the rows of a collection from the run `count_cell`. Adds them to the tally only when everything is read. Throws
 * `CountLimitError` if that reads too many bytes.
 */
export async function countCells(session: Session, count: CollectionCount): Promise<void> {
  const { collection, country, regions, plan, tally } = count;
  const { conditions, group, groupFacet, needsRows } = plan;
  const arePoints = POINT_COLLECTIONS.has(collection);
  const cellBits = group?.by === "cell" ? 5 * group.chars : 0;
  const options = {
    leastBits: cellBits,
    needsRows,
    classes: arePoints ? [0] : SIZE_CLASS_BITS.map((_, sizeClass) => sizeClass),
    arePoints,
  };
  const plain = await covered(session, coverRegions(regions, options));
  // cells that list rows may be larger than the cells to group by: their rows have the smaller cell
  const cover = needsRows ? withCoarseBoundary(plain, cellBits) : plain;
  const names = new Set(conditions.flatMap((condition) => condition.facets.map(({ name }) => name)));
  if (groupFacet) names.add(groupFacet.name);
  const facets = [...names];
  const ofInside = conditions.length === 0 || needsRows ? [TOTAL, ...facets] : facets;
  const asked = { collection, country, isNear: boxesTest(cover.boxes) };
  const [tables, boundary] = await Promise.all([
    session.timed("read", () => readCells(session, { ...asked, facets: ofInside, ranges: cover.inside })),
    session.timed("read", () =>
      measureBoundary(session, {
        ...asked,
        regions,
        boundary: cover.boundary,
        smallBoundary: cover.smallBoundary,
        facets,
      }),
    ),
  ]);
  await inTurn(() => {
    if (needsRows) addJointCells(tables, cover, plan, tally);
    else addCells(tables, cover, plan, tally);
  });
  await eachInTurn(boundary, ({ country: own, cell, values }) => {
    if (!meets(conditions, values)) return;
    tally.addRows(1);
    if (group?.by === "country") tally.addGroup(own, 1);
    if (group?.by === "cell") tally.addGroup(spellCell({ cell, bits: FINE_BITS }, group.chars), 1);
    if (groupFacet) for (const value of values.get(groupFacet.name) ?? []) tally.addGroup(value, 1);
  });
}

async function covered(session: Session, steps: Generator<void, Cover>): Promise<Cover> {
  for (;;) {
    session.signal.throwIfAborted();
    const step = await inTurn(() => steps.next());
    if (step.done) return step.value;
  }
}

function withCoarseBoundary(cover: Cover, cellBits: number): Cover {
  const isFine = ({ sizeClass }: CellRange): boolean => (SIZE_CLASS_BITS[sizeClass] ?? 0) >= cellBits;
  const coarse = cover.inside.filter((range) => !isFine(range));
  return { ...cover, inside: cover.inside.filter(isFine), boundary: inOrder([...cover.boundary, ...coarse]) };
}

type Tables = Awaited<ReturnType<typeof readCells>>;

function keyOfCell({ country, cell, bits }: CountedCell, group: CountGroup | undefined): string | undefined {
  if (group?.by === "country") return country;
  if (group?.by !== "cell") return undefined;
  return spellCell({ cell, bits }, group.chars);
}

function spellCell({ cell, bits }: Pick<CountedCell, "cell" | "bits">, chars: number): string {
  return spellGeohash(cell * 2 ** (GEOHASH_BITS - bits), 5 * chars);
}

/** Adds counts of cells inside, for conditions on one facet. */
function addCells(tables: Tables, { inside }: Cover, { conditions, group, groupFacet }: CountPlan, tally: Tally): void {
  const add = (cell: CountedCell, rows: number): void => {
    tally.addRows(rows);
    const key = keyOfCell(cell, group);
    if (key !== undefined && rows > 0) tally.addGroup(key, rows);
  };
  const [condition] = conditions;
  if (!condition) tables.each(TOTAL, inside, (cell) => add(cell, cell.rows));
  for (const { name } of condition?.facets ?? []) {
    tables.each(name, inside, (cell) => {
      let wanted = 0;
      cell.values((value, rows) => {
        if (condition?.isWanted(value)) wanted += rows;
      });
      add(cell, wanted);
    });
  }
  if (groupFacet)
    tables.each(groupFacet.name, inside, (cell) => cell.values((value, rows) => tally.addGroup(value, rows)));
}

/** Adds the rows of cells inside, row by row, for conditions on several facets. */
function addJointCells(tables: Tables, { inside }: Cover, plan: CountPlan, tally: Tally): void {
  const { conditions, group, groupFacet } = plan;
  const names = new Set(conditions.flatMap((condition) => condition.facets.map(({ name }) => name)));
  if (groupFacet) names.add(groupFacet.name);
  const cells = new Map<string, { readonly cell: CountedCell; readonly lists: Map<string, readonly string[][]> }>();
  tables.each(TOTAL, inside, (cell) => void cells.set(cellKey(cell.country, cell), { cell, lists: new Map() }));
  for (const name of names) {
    tables.each(name, inside, (cell) => {
      const lists = cell.lists?.();
      const known = cells.get(cellKey(cell.country, cell));
      if (!lists || known?.cell.rows !== lists.length) {
        throw new ManifestError(`a cell of ${cell.country} lists ${lists?.length} rows, expected ${known?.cell.rows}`);
      }
      known.lists.set(name, lists);
    });
  }
  for (const { cell, lists } of cells.values()) {
    for (let row = 0; row < cell.rows; row++) {
      const values = new Map(Array.from(lists, ([name, of]) => [name, of[row] ?? []]));
      if (!meets(conditions, values)) continue;
      tally.addRows(1);
      const key = keyOfCell(cell, group);
      if (key !== undefined) tally.addGroup(key, 1);
      if (groupFacet) for (const value of values.get(groupFacet.name) ?? []) tally.addGroup(value, 1);
    }
  }
}

function meets(conditions: readonly CellCondition[], values: ReadonlyMap<string, readonly string[]>): boolean {
  return conditions.every(({ facets, isWanted }) => facets.some(({ name }) => values.get(name)?.some(isWanted)));
}

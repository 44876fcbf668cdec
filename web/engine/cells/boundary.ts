/**
 * Finds the rows that are in a region, in cells of `count_cell` on the region's boundary, with their values by facet. Rows of the
 * first size class (the smallest) are measured by points. Most larger rows are decided by their boxes. @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import { boxesTest } from "../../../data/format/boxes-test.ts";
import { FINE_BITS, type LargeRow } from "../../../data/format/cell-counts.ts";
import { cellOf, TOTAL } from "../../../data/format/cell-levels.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { encodeGeohash, sizeClassOf } from "../../../data/format/geohash.ts";
import { type PartTable, readPartTable } from "../../../data/format/geometry-parts.ts";
import { isPage } from "../../../data/format/manifest.ts";
import type { RowPoints } from "../../../data/format/points.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import { CountLimitError, ManifestError } from "../contract/errors.ts";
import { isInCountries } from "../contract/query.ts";
import { findPartitions, type PartitionRef } from "../index-tree/tree.ts";
import type { Region } from "../plan/region.ts";
import { boxAt, readPartitionPoints } from "../store/addressed-rows.ts";
import { readLongGeometries } from "../store/long-geometries.ts";
import type { Session } from "../store/session.ts";
import { inTurn } from "../tasks/in-turn.ts";
import type { CellRange } from "./cover.ts";
import { type CellsAsked, readCells } from "./tables.ts";

/** A row on the boundary that is in the region. */
export interface BoundaryRow {
  readonly country: string;
  /** Cell of the row's representative point, with `FINE_BITS` bits of its geohash. */
  readonly cell: number;
  /** The values of the row by facet. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export interface BoundaryAsked extends Pick<CellsAsked, "country" | "isNear" | "facets"> {
  readonly collection: CollectionName;
  readonly regions: readonly Region[];
  readonly boundary: readonly CellRange[];
  /** Boxes around the boundary cells of the first size class. */
  readonly smallBoundary: readonly BBox[];
}

/** Maximum bytes of points that a count reads. */
const MAX_POINTS_BYTES = 32 * 1024 * 1024;

/** Rows to measure before other work may run. */
const ROWS_AT_A_TIME = 256;

/** Of a wider row, the box of its slice may cross the antimeridian. */
const WIDE_DEG = 180;

/** Returns a key for maps: country, size class and cell. */
export function cellKey(
  country: string,
  { sizeClass, cell }: { readonly sizeClass: number; readonly cell: number },
): string {
  return `${country} ${sizeClass} ${cell}`;
}

/**
 * Returns the rows of the boundary cells that are in all regions, with their values, in no order. Throws `CountLimitError` if
 * this takes too many bytes, and `ManifestError` if stored counts and points disagree.
 */
export async function measureBoundary(session: Session, asked: BoundaryAsked): Promise<BoundaryRow[]> {
  const [small, large] = [0, 1].map((least) =>
    asked.boundary.filter(({ sizeClass }) => Math.min(1, sizeClass) === least),
  );
  const found = await Promise.all([
    smallRows(session, { ...asked, boundary: small ?? [] }),
    largeRows(session, { ...asked, boundary: large ?? [] }),
  ]);
  return found.flat();
}

interface SmallRow {
  readonly cell: number;
  readonly geohash: number;
  readonly number: number;
  readonly isInside: boolean;
}

/** Measures rows in cells of the first size class. The order of the values there is the order of the rows. */
async function smallRows(session: Session, asked: BoundaryAsked): Promise<BoundaryRow[]> {
  const { boundary, facets, collection } = asked;
  if (boundary.length === 0) return [];
  const [partitions, tables] = await Promise.all([
    partitionsOf(session, asked, boxesTest(asked.smallBoundary)),
    readCells(session, { ...asked, ranges: boundary }),
  ]);
  const cells = new Map<string, SmallRow[]>();
  const isOnBoundary = rangesTest(boundary);
  const long: LongRows = {
    isWanted: (_, points, row) => sizeClassOf(boxAt(points, row)) === 0,
    partsOf: ({ parts }) => [...parts.keys()],
  };
  await eachPoint(session, partitions, long, (ref, points, row) => {
    const box = boxAt(points, row);
    const isPoint = box[0] === box[2] && box[1] === box[3];
    if (!isPoint && sizeClassOf(box) > 0) return;
    const [lon, lat] = isPoint ? box : (representativePoint(readStoredGeometry(points.geometry(row))) ?? [0, 0]);
    const geohash = encodeGeohash(lon, lat);
    const cell = cellOf(geohash, FINE_BITS);
    if (!isOnBoundary(cell)) return;
    const key = cellKey(ref.node.country, { sizeClass: 0, cell });
    const own = cells.get(key) ?? [];
    cells.set(key, own);
    own.push({ cell, geohash, number: points.number(row), isInside: isInside(asked.regions, points, row) });
  });
  const values = new Map<string, Map<string, readonly string[][]>>();
  for (const facet of facets) {
    tables.each(facet, boundary, (cell) => {
      const key = cellKey(cell.country, cell);
      const lists = cell.lists?.() ?? [];
      requireEqual(collection, cell.country, { listed: lists.length, found: cells.get(key)?.length ?? 0 });
      values.set(key, (values.get(key) ?? new Map()).set(facet, lists));
    });
  }
  const found: BoundaryRow[] = [];
  for (const [key, rows] of cells) {
    rows.sort((a, b) => a.geohash - b.geohash || a.number - b.number);
    const own = values.get(key);
    const country = key.slice(0, key.indexOf(" "));
    for (const [index, { cell, isInside }] of rows.entries()) {
      if (isInside) found.push({ country, cell, values: valuesOf(own, index) });
    }
  }
  return found;
}

interface LargeBoundaryRow extends BoundaryRow {
  readonly figures: LargeRow;
}

/** Decides rows in cells of the other size classes, which have the box of each row. */
async function largeRows(session: Session, asked: BoundaryAsked): Promise<BoundaryRow[]> {
  const { boundary, facets, regions, collection } = asked;
  if (boundary.length === 0) return [];
  const tables = await readCells(session, { ...asked, facets: [TOTAL, ...facets], ranges: boundary });
  const values = new Map<string, Map<string, readonly string[][]>>();
  for (const facet of facets) {
    tables.each(facet, boundary, (cell) => {
      const key = cellKey(cell.country, cell);
      values.set(key, (values.get(key) ?? new Map()).set(facet, cell.lists?.() ?? []));
    });
  }
  const [found, open]: [BoundaryRow[], LargeBoundaryRow[]] = [[], []];
  tables.each(TOTAL, boundary, (cell) => {
    const own = values.get(cellKey(cell.country, cell));
    for (const lists of own?.values() ?? []) {
      requireEqual(collection, cell.country, { listed: lists.length, found: cell.large.length });
    }
    for (const [index, figures] of cell.large.entries()) {
      if (!regions.every((region) => region.reaches(figures.bbox))) continue;
      const row = { country: cell.country, cell: figures.fineCell, values: valuesOf(own, index), figures };
      (regions.every((region) => region.holds(figures.bbox)) ? found : open).push(row);
    }
  });
  return [...found, ...(await measured(session, asked, open))];
}

/** The rows whose geometries are in the regions. */
async function measured(
  session: Session,
  asked: BoundaryAsked,
  rows: readonly LargeBoundaryRow[],
): Promise<BoundaryRow[]> {
  if (rows.length === 0) return [];
  const wanted = new Map(rows.map((row) => [`${row.country} ${row.figures.number}`, row]));
  const isNear = boxesTest(rows.map(({ figures }) => figures.bbox));
  const { regions, collection } = asked;
  const partitions = await partitionsOf(
    session,
    asked,
    (box) => isNear(box) && regions.every((region) => region.reaches(box)),
  );
  const found: BoundaryRow[] = [];
  const long: LongRows = {
    isWanted: ({ node }, points, row) => wanted.has(`${node.country} ${points.number(row)}`),
    partsOf: (table) => [...new Set(regions.flatMap((region) => region.partsOf(table)))],
  };
  await eachPoint(session, partitions, long, (ref, points, row) => {
    const key = `${ref.node.country} ${points.number(row)}`;
    const own = wanted.get(key);
    if (!own) return;
    wanted.delete(key);
    if (isInside(regions, points, row)) found.push(own);
  });
  // The box of a wide row's slice may be narrower, and outside of the regions.
  const [key] = Array.from(wanted).find(([, { figures }]) => !isWide(figures.bbox)) ?? [];
  if (key !== undefined) {
    throw new ManifestError(`the counts of ${collection} have row ${key}, its points have no such row`);
  }
  return found;
}

function isWide([west, , east]: BBox): boolean {
  return east - west > WIDE_DEG;
}

function valuesOf(
  lists: ReadonlyMap<string, readonly string[][]> | undefined,
  index: number,
): ReadonlyMap<string, readonly string[]> {
  return new Map(Array.from(lists ?? [], ([facet, of]) => [facet, of[index] ?? []]));
}

function requireEqual(
  collection: CollectionName,
  country: string,
  { listed, found }: { readonly listed: number; readonly found: number },
): void {
  if (listed === found) return;
  throw new ManifestError(`the counts of ${collection} list ${listed} rows in a cell of ${country}, expected ${found}`);
}

/** The partitions with a box that passes the test. */
async function partitionsOf(
  session: Session,
  { collection, country }: BoundaryAsked,
  isNear: (box: BBox) => boolean,
): Promise<PartitionRef<"location">[]> {
  const found = await findPartitions(session, { collection, run: "location" }, (node) => {
    return (isPage(node) || isInCountries(node.country, country)) && isNear(node.bbox);
  });
  const bytes = found.reduce((sum, { node }) => sum + node.points.bytes, 0);
  requireFewBytes(bytes);
  return found;
}

function requireFewBytes(bytes: number): void {
  if (bytes <= MAX_POINTS_BYTES) return;
  throw new CountLimitError(
    `counting takes ${bytes} bytes of positions along the outline, at most ${MAX_POINTS_BYTES} are allowed: count a smaller area`,
  );
}

/** Which long geometries to read, and which of their parts. */
interface LongRows {
  readonly isWanted: (ref: PartitionRef<"location">, points: RowPoints, row: number) => boolean;
  readonly partsOf: (table: PartTable) => readonly number[];
}

/** Calls `take` for each row of the partitions. Numbers are counted from the country's first. */
async function eachPoint(
  session: Session,
  partitions: readonly PartitionRef<"location">[],
  long: LongRows,
  take: (ref: PartitionRef<"location">, points: RowPoints, row: number) => void,
): Promise<void> {
  const all = await Promise.all(partitions.map((ref) => withLong(session, ref, long)));
  for (const [index, ref] of partitions.entries()) {
    const points = all[index];
    for (let start = 0; points && start < points.rows; start += ROWS_AT_A_TIME) {
      await inTurn(() => {
        for (let row = start; row < Math.min(points.rows, start + ROWS_AT_A_TIME); row++) take(ref, points, row);
      });
      session.signal.throwIfAborted();
    }
  }
}

/** Returns the points with whole geometries instead of tables of parts, for the wanted rows. */
async function withLong(
  session: Session,
  ref: PartitionRef<"location">,
  { isWanted, partsOf }: LongRows,
): Promise<RowPoints> {
  const points = await session.readPoints(ref);
  const rows = points.longRows.filter((row) => isWanted(ref, points, row));
  if (rows.length === 0) return points;
  const partBytes = rows.reduce(
    (sum, row) => sum + partsOf(readPartTable(points.geometry(row))).length * BLOCK_BYTES,
    0,
  );
  requireFewBytes(partBytes);
  const located = await readPartitionPoints(session, ref);
  const long = await readLongGeometries(session, ref, located, { rows, partsOf });
  return { ...points, geometry: (row) => long.get(row) ?? points.geometry(row) };
}

/** Whether the row is in all regions, decided as `measurePoints` does for a search. */
function isInside(regions: readonly Region[], points: RowPoints, row: number): boolean {
  const box = boxAt(points, row);
  return regions.every((region) => {
    if (box[0] === box[2] && box[1] === box[3]) return region.metersOfPoint(box[0], box[1]) < Number.POSITIVE_INFINITY;
    return region.reaches(box) && region.metersOf(points.geometry(row), box) < Number.POSITIVE_INFINITY;
  });
}

/** Returns a test whether a cell is in one of the ranges, which are in order. */
function rangesTest(ranges: readonly CellRange[]): (cell: number) => boolean {
  return (cell) => {
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.first ?? 0) <= cell) low = middle + 1;
      else high = middle;
    }
    const range = ranges[low - 1];
    return range !== undefined && cell <= range.last;
  };
}

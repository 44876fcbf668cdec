/** Finds rows in a circle from the points of slices: the stored locations of their rows. @module */

import { farthestInBBox, nearestInBBox, SLACK_METERS } from "../../data/format/bbox-distance.ts";
import { createDistanceMeter } from "../../data/format/distance.ts";
import { isPartTable, partsIn } from "../../data/format/geometry-parts.ts";
import { compareIds } from "../../data/format/ids.ts";
import { type IndexNode, isPage, type LocationNode } from "../../data/format/manifest.ts";
import { nearParts } from "../../data/format/near-parts.ts";
import { type Points, readPoints } from "../../data/format/points.ts";
import { recordPositionOf } from "../../data/format/records.ts";
import { metersTo, type Origin, originAt, roundToMillimeter, toRadians } from "../../data/format/sphere.ts";
import { CairnError } from "./error.ts";
import { type Collection, inPack, readPages } from "./index-tree.ts";
import { type GroupRef, readLong, readRecords } from "./records.ts";
import { numbersWith, type Terms } from "./terms.ts";
import type { Found, Row } from "./types.ts";

/** Slices that are read at the same time. */
const MAX_SLICES_AT_ONCE = 64;

/** A circle to search in, with the ISO 3166-1 alpha-2 codes of the wanted countries (undefined for all) and terms. */
export interface Circle {
  readonly origin: Origin;
  readonly radiusMeters: number;
  readonly countries: readonly string[] | undefined;
  readonly terms: Terms;
}

/** A matching row: its index `row` in the slice of `node`, and metres from the centre, rounded to 1 mm. */
export interface NearRow {
  readonly meters: number;
  readonly node: LocationNode;
  readonly points: Points;
  readonly row: number;
}

interface Candidate {
  readonly node: IndexNode;
  /** Lower bound in metres of the distance of the rows below the node. */
  readonly meters: number;
  /** Whether all rows below the node match. */
  readonly isInside: boolean;
}

/**
 * Returns a circle to search in. The centre is in degrees WGS84, the countries are ISO 3166-1 alpha-2 codes (undefined for all).
 */
export function circleAt(
  lat: number,
  lng: number,
  radiusMeters: number,
  countries: readonly string[] | undefined,
  terms: Terms,
): Circle {
  return { origin: originAt(lng, lat), radiusMeters, countries, terms };
}

/**
 * Returns the number of all matching rows, and at most `limit` of them after the first `offset`: nearest first, then by id.
 * Throws `CairnError` if a file is damaged or terms cannot be searched.
 */
export async function searchCircle(
  collection: Collection,
  circle: Circle,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Found> {
  const { total, rows } = await nearRows(collection, circle, limit === 0 ? 0 : offset + limit);
  if (limit === 0 || offset >= total) return { total, rows: [] };
  rows.sort((a, b) => a.meters - b.meters || compareIds(a.node.country, b.node.country) || numberOf(a) - numberOf(b));
  const page = rows.slice(offset, offset + limit);
  const [first = Number.NaN, last = Number.NaN] = [page[0]?.meters, page.at(-1)?.meters];
  const near = rows.filter(({ meters }) => meters >= first && meters <= last);
  // numbers have the order of ids in one country
  const isOrdered = near.every(({ node }) => node.country === near[0]?.node.country);
  const wanted = isOrdered ? page : near;
  const records = await readRecords(
    collection,
    wanted.map(({ points, row, node }) => ({
      address: points.address(row, node.record),
      blocks: points.blocks(row) - partsIn(points.geometry(row)),
    })),
  );
  const found = records.map((record, index): Row => ({ ...record, ext_distance: wanted[index]?.meters ?? 0 }));
  if (isOrdered) return { total, rows: found };
  found.sort((a, b) => (a.ext_distance ?? 0) - (b.ext_distance ?? 0) || compareIds(a.id, b.id));
  const start = offset - rows.filter(({ meters }) => meters < first).length;
  return { total, rows: found.slice(start, start + limit) };
}

/**
 * Returns where the first part of a row's long geometry is stored. A long geometry has one part per block, after the record's own
 * blocks.
 */
export function firstPart({ node, points, row }: Pick<NearRow, "node" | "points" | "row">): GroupRef {
  const { chunk, block } = recordPositionOf(points.address(row, node.record));
  return { chunk, block: block + points.blocks(row) - partsIn(points.geometry(row)) };
}

function numberOf({ points, row }: NearRow): number {
  return points.number(row);
}

/**
 * Returns the number of matching rows in the circle, and rows in no order: at least the nearest `most`, all if there are fewer.
 * Rows of slices and pages inside the circle are counted from the index. Such slices are read only if the nearest rows can be in
 * them.
 */
export async function nearRows(
  collection: Collection,
  circle: Circle,
  most: number,
): Promise<{ readonly total: number; readonly rows: NearRow[] }> {
  const { origin, radiusMeters, countries, terms } = circle;
  const isCounted = terms.clauses.length === 0;
  const measure = createDistanceMeter(origin);
  const numbers = new Map<string, Promise<ReadonlySet<number>>>();
  const rows: NearRow[] = [];
  let inside: Candidate[] = [];
  let insideRows = 0;

  const candidatesOf = (nodes: readonly IndexNode[]): Candidate[] =>
    nodes.flatMap((node) => {
      if (countries && !isPage(node) && !countries.includes(node.country)) return [];
      const meters = nearestInBBox(origin, node.bbox);
      if (meters > radiusMeters + SLACK_METERS) return [];
      const isWhole = isCounted && (countries === undefined || !isPage(node));
      const isInside = isWhole && farthestInBBox(origin, node.bbox) <= radiusMeters - SLACK_METERS;
      return [{ node, meters, isInside }];
    });

  function numbersIn(code: string): Promise<ReadonlySet<number>> {
    const known = numbers.get(code) ?? numbersWith(collection, code, terms).then((list) => new Set(list));
    numbers.set(code, known);
    return known;
  }

  async function readSlices(nodes: readonly LocationNode[]): Promise<void> {
    for (let start = 0; start < nodes.length; start += MAX_SLICES_AT_ONCE) {
      const some = nodes.slice(start, start + MAX_SLICES_AT_ONCE);
      const slices = await collection.files.slices(
        some.map((node) => inPack(collection, "points", node.points)),
        readPoints,
      );
      for (const [index, points] of slices.entries()) {
        const node = some[index] as LocationNode;
        if (points.rows !== node.rows)
          throw new CairnError(`the points of ${collection.name} have ${points.rows} rows, expected ${node.rows}`);
        const wanted = isCounted ? undefined : await numbersIn(node.country);
        for (let row = 0; row < points.rows; row++) {
          if (wanted && !wanted.has(points.number(row))) continue;
          const meters = await metersOf({ node, points, row });
          if (meters <= radiusMeters) rows.push({ meters, node, points, row });
        }
      }
    }
  }

  async function metersOf(found: Omit<NearRow, "meters">): Promise<number> {
    const { points, row } = found;
    const [west = 0, south = 0, east = 0, north = 0] = points.boxes.subarray(4 * row, 4 * row + 4);
    if (west === east && south === north) {
      return roundToMillimeter(metersTo(origin, west, south, Math.cos(toRadians(south))));
    }
    if (nearestInBBox(origin, [west, south, east, north]) > radiusMeters + SLACK_METERS)
      return Number.POSITIVE_INFINITY;
    const stored = points.geometry(row);
    if (!isPartTable(stored)) return roundToMillimeter(measure(stored));
    const { paths } = await readLong(collection, stored, firstPart(found), (table) =>
      nearParts({ ...table, origin, radiusMeters }),
    );
    return roundToMillimeter(measure(paths));
  }

  /** Reads slices, and opens pages until what is left is inside the circle. */
  async function take(nodes: readonly Candidate[]): Promise<void> {
    for (let next = nodes; next.length > 0; ) {
      const opened = next.map(({ node }) => node);
      const [below] = await Promise.all([
        readPages(collection, opened.filter(isPage)),
        readSlices(opened.filter((node): node is LocationNode => "points" in node)),
      ]);
      const candidates = candidatesOf(below.flat());
      inside.push(...candidates.filter(({ isInside }) => isInside));
      next = candidates.filter(({ isInside }) => !isInside);
    }
  }

  const roots = candidatesOf(collection.about.runs.location.nodes);
  inside = roots.filter(({ isInside }) => isInside);
  await take(roots.filter(({ isInside }) => !isInside));
  for (const { node } of inside) insideRows += node.rows;
  const total = rows.length + insideRows;
  for (;;) {
    inside.sort((a, b) => a.meters - b.meters);
    const limit = distanceAt(rows, most) + SLACK_METERS;
    let batchRows = 0;
    const batch: Candidate[] = [];
    for (const candidate of inside) {
      if (candidate.meters > limit || batchRows >= most) break;
      batch.push(candidate);
      batchRows += candidate.node.rows;
    }
    if (batch.length === 0) return { total, rows };
    inside = inside.slice(batch.length);
    await take(batch);
  }
}

/**
 * Returns the distance in metres of the row with this rank, counted from 1: Infinity if there are fewer rows, -Infinity for rank
 * 0.
 */
function distanceAt(rows: readonly NearRow[], rank: number): number {
  if (rank === 0) return Number.NEGATIVE_INFINITY;
  const meters = Float64Array.from(rows, (row) => row.meters).sort();
  return meters[rank - 1] ?? Number.POSITIVE_INFINITY;
}

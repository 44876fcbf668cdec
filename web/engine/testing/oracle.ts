/**
 * The expected answers of searches, by a plain loop over rows and independently computed distances.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { type Geometry, type Position, positionsOf } from "../../../data/format/geometry.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { polygonContains } from "../../../data/format/representative-point.ts";
import { type Circle, isInCountries, type Query } from "../contract/query.ts";

export interface OracleRow {
  readonly collection: CollectionName;
  readonly id: string;
  readonly country: string;
  readonly geometry: Geometry;
}

interface Measured {
  readonly id: string;
  /** Not rounded. */
  readonly meters: number;
}

export interface Oracle {
  readonly rows: readonly OracleRow[];
  /** Returns the ids of all rows of a query without a circle, in order. */
  ids(query: Query): readonly string[];
  /** Returns rows that can be within `reachMeters`, nearest first. */
  near(query: Query, circle: Circle, reachMeters: number): Measured[];
  /** Returns the minimum and maximum number of rows within this distance: they differ by the rows within 1 mm of it. */
  count(query: Query, circle: Circle, meters: number): { least: number; most: number };
}

interface Entry extends OracleRow {
  /** The centre of a sphere that contains the row. */
  readonly center: Position;
  readonly ballMeters: number;
  /** The index of the position that the distances below were measured from. */
  place: number;
  toCenterMeters: number;
  meters: number | undefined;
}

const RADIUS_METERS = 6_371_008.8;
const BOUNDARY_METERS = 0.001;
/** Spheres are slightly enlarged, because their radii are sums of rounded numbers. */
const BALL_SLACK_METERS = 0.01;

/** Creates an oracle over the rows. */
export function createOracle(rows: readonly OracleRow[]): Oracle {
  const entries = new Map<CollectionName, Entry[]>();
  for (const row of rows) {
    const own = entries.get(row.collection) ?? [];
    own.push({ ...row, ...ballOf(row.geometry), place: -1, toCenterMeters: 0, meters: undefined });
    entries.set(row.collection, own);
  }
  // a search uses the same distances and rows several times
  let places = 0;
  let from: Position = [Number.NaN, Number.NaN];
  function startFrom({ lon, lat }: Circle): void {
    if (from[0] === lon && from[1] === lat) return;
    from = [lon, lat];
    places++;
  }
  function metersToCenter(row: Entry): number {
    if (row.place !== places) {
      row.place = places;
      row.toCenterMeters = haversine(from, row.center);
      row.meters = row.geometry.type === "Point" ? row.toCenterMeters : undefined;
    }
    return row.toCenterMeters;
  }
  const matching = memoized(({ collections, country }): readonly Entry[] =>
    collections.flatMap((collection) => {
      const own = entries.get(collection) ?? [];
      return own.filter((row) => isInCountries(row.country, country));
    }),
  );

  return {
    rows,
    ids: memoized((query) =>
      matching(query)
        .map(({ id }) => id)
        .sort(compareIds),
    ),
    near(query, circle, reachMeters) {
      startFrom(circle);
      const near: Measured[] = [];
      for (const row of matching(query)) {
        if (metersToCenter(row) - row.ballMeters > reachMeters) continue;
        row.meters ??= distanceTo(from, row.geometry);
        near.push({ id: row.id, meters: row.meters });
      }
      return near.sort((a, b) => a.meters - b.meters);
    },
    count(query, circle, meters) {
      startFrom(circle);
      let least = 0;
      let most = 0;
      for (const row of matching(query)) {
        const toCenter = metersToCenter(row);
        if (toCenter - row.ballMeters > meters + BOUNDARY_METERS) continue;
        const isInside = toCenter + row.ballMeters < meters - BOUNDARY_METERS;
        if (!isInside) row.meters ??= distanceTo(from, row.geometry);
        const distance = isInside ? 0 : (row.meters ?? 0);
        if (distance <= meters - BOUNDARY_METERS) least++;
        if (distance <= meters + BOUNDARY_METERS) most++;
      }
      return { least, most };
    },
  };
}

/** Caches the result of the last query, for the next one over the same rows. */
function memoized<Value>(compute: (query: Query) => Value): (query: Query) => Value {
  let known: { readonly of: string; readonly value: Value } | undefined;
  return (query) => {
    const of = `${query.collections} ${query.country}`;
    if (known?.of !== of) known = { of, value: compute(query) };
    return known.value;
  };
}

function ballOf(geometry: Geometry): { center: Position; ballMeters: number } {
  const positions = [...positionsOf(geometry)];
  const lons = positions.map(([lon]) => lon);
  const lats = positions.map(([, lat]) => lat);
  const [west, east] = [least(lons), -least(lons.map((lon) => -lon))];
  const [south, north] = [least(lats), -least(lats.map((lat) => -lat))];
  if (positions.length === 1) return { center: [west, south], ballMeters: 0 };
  const center: Position = [(west + east) / 2, (south + north) / 2];
  // half the length of the box's sides, at most as at the equator
  const halfMeters = (((east - west + north - south) / 2) * Math.PI * RADIUS_METERS) / 180;
  return { center, ballMeters: halfMeters + BALL_SLACK_METERS };
}

/** Returns metres to the nearest position of the geometry, by sampling its edges. */
export function distanceTo(from: Position, geometry: Geometry): number {
  switch (geometry.type) {
    case "Point":
      return haversine(from, geometry.coordinates);
    case "MultiPoint":
      return least(geometry.coordinates.map((position) => haversine(from, position)));
    case "LineString":
      return lineDistance(from, geometry.coordinates);
    case "MultiLineString":
      return least(geometry.coordinates.map((line) => lineDistance(from, line)));
    case "Polygon":
      return polygonDistance(from, geometry.coordinates);
    case "MultiPolygon":
      return least(geometry.coordinates.map((polygon) => polygonDistance(from, polygon)));
    case "GeometryCollection":
      return least(geometry.geometries.map((member) => distanceTo(from, member)));
  }
}

function polygonDistance(from: Position, rings: readonly (readonly Position[])[]): number {
  const spellings: Position[] =
    Math.abs(from[0]) === 180
      ? [
          [180, from[1]],
          [-180, from[1]],
        ]
      : [from];
  if (spellings.some((position) => polygonContains(rings, position))) return 0;
  return least(rings.map((ring) => lineDistance(from, ring)));
}

function lineDistance(from: Position, line: readonly Position[]): number {
  const vertices = line.map((position) => haversine(from, position));
  let best = least(vertices);
  for (let i = 1; i < line.length; i++) {
    const a = line[i - 1] as Position;
    const b = line[i] as Position;
    const degrees = Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
    const lengthMeters = (degrees * Math.PI * RADIUS_METERS) / 180;
    if (Math.min(vertices[i - 1] as number, vertices[i] as number) - lengthMeters > best) continue;
    const pieces = Math.max(1, Math.ceil(degrees / 0.2));
    const ends = Array.from({ length: pieces + 1 }, (_, end) => haversine(from, along(a, b, end / pieces)));
    best = Math.min(best, least(ends));
    for (let piece = 0; piece < pieces; piece++) {
      if (Math.min(ends[piece] as number, ends[piece + 1] as number) - lengthMeters / pieces > best) continue;
      best = Math.min(best, searchPiece(from, a, b, piece / pieces, (piece + 1) / pieces));
    }
  }
  return best;
}

function along(a: Position, b: Position, t: number): Position {
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
}

/** Golden section search between two positions on an edge. */
function searchPiece(from: Position, a: Position, b: Position, start: number, end: number): number {
  const metersAt = (t: number) => haversine(from, along(a, b, t));
  const golden = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [start, end];
  let [left, right] = [high - golden * (high - low), low + golden * (high - low)];
  let [atLeft, atRight] = [metersAt(left), metersAt(right)];
  const best = Math.min(metersAt(low), metersAt(high));
  for (let round = 0; round < 45; round++) {
    if (atLeft < atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - golden * (high - low);
      atLeft = metersAt(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + golden * (high - low);
      atRight = metersAt(right);
    }
  }
  return Math.min(best, atLeft, atRight);
}

/** The textbook haversine formula with the arctangent, accurate at all distances. */
function haversine([lon1, lat1]: Position, [lon2, lat2]: Position): number {
  const radians = Math.PI / 180;
  const dLat = (lat2 - lat1) * radians;
  const dLon = (lon2 - lon1) * radians;
  const a = Math.sin(dLat / 2) ** 2 + Math.cos(lat1 * radians) * Math.cos(lat2 * radians) * Math.sin(dLon / 2) ** 2;
  return 2 * RADIUS_METERS * Math.atan2(Math.sqrt(a), Math.sqrt(Math.max(0, 1 - a)));
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

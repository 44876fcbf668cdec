/**
 * Random queries.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { type Position, positionsOf } from "../../../data/format/geometry.ts";
import type { Countries, Query } from "../contract/query.ts";
import type { OracleRow } from "./oracle.ts";
import type { Random } from "./random.ts";

const LIMITS = [1, 3, 25, 100, 1000, 25_000];
const SPECIAL: readonly Position[] = [
  [180, 0],
  [-180, 51.5],
  [180, -16.5],
  [0, 90],
  [45, -90],
  [0, 0],
];

/**
 * Returns random searches by circle, by country or by both. Centres are on rows, near them, far away, at the
 * antimeridian and at the poles.
 */
export function createRandomQueries(
  random: Random,
  collection: CollectionName,
  rows: readonly OracleRow[],
): () => Query {
  const own = rows.filter((row) => row.collection === collection);
  const countries = [...new Set(own.map(({ country }) => country)), "QQ"];
  return () => randomQuery(random, collection, own, countries);
}

function randomQuery(
  random: Random,
  collection: CollectionName,
  own: readonly OracleRow[],
  countries: readonly string[],
): Query {
  const limit = random.of(LIMITS);
  const offset = random.of([0, 0, limit * random.below(3), random.below(own.length + 2)]);
  const kind = random.below(10);
  const page = { collections: [collection], limit, offset };
  if (kind === 0) return { ...page, country: randomCountries(random, countries) };
  const circle = randomCircle(random, own);
  return kind === 1 ? { ...page, circle, country: randomCountries(random, countries) } : { ...page, circle };
}

/** One country, or two of which one may have no rows. */
function randomCountries(random: Random, countries: readonly string[]): Countries {
  const [first, second] = [random.of(countries), random.of(countries)];
  return first === second ? first : [first, second].sort();
}

function randomCircle(random: Random, rows: readonly OracleRow[]): { lon: number; lat: number; radiusMeters: number } {
  const [lon, lat] = random.below(12) === 0 ? random.of(SPECIAL) : nearRow(random, rows);
  const radiusMeters = random.magnitude(1, 500_000);
  return { lon, lat, radiusMeters: random.of([radiusMeters, Math.ceil(radiusMeters)]) };
}

function nearRow(random: Random, rows: readonly OracleRow[]): Position {
  const position = random.of([...positionsOf(random.of(rows).geometry)]);
  const spreadDeg = random.of([0, 1e-4, 0.01, 0.3, 5]);
  const lon = position[0] + random.spread(spreadDeg);
  const lat = Math.max(-90, Math.min(90, position[1] + random.spread(spreadDeg)));
  return [lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon, lat];
}

/**
 * Rows in difficult positions: on the antimeridian, at poles, in holes, and many at equal distance.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Geometry, Position } from "../../../data/format/geometry.ts";
import type { MadeUpRow } from "./made-up-dataset.ts";
import type { OracleRow } from "./oracle.ts";
import { type Random, randomFrom } from "./random.ts";

const HOMES: readonly Position[] = [
  [180, 0],
  [-180, -16.5],
  [179.99, 65],
  [0, 90],
  [120, -90],
  [7.42, 43.73],
];
const COUNTRIES = ["AA", "FJ", "ZZ"];

export type MadeUpCollections = Readonly<Record<CollectionName, readonly MadeUpRow[]>>;

/** Returns points, lines and areas near difficult positions, in three countries. */
export function hardRows(): MadeUpCollections {
  const random = randomFrom(4711);
  return {
    place: rowsOf(random, "p", 400, (home) => ({ type: "Point", coordinates: near(random, home, 2) })),
    segment: rowsOf(random, "s", 40, (home) => ({
      type: "LineString",
      coordinates: Array.from({ length: 2 + random.below(3) }, () => near(random, home, random.of([0.01, 1, 5]))),
    })),
    land_use: rowsOf(random, "u", 60, (home) => areaNear(random, home)),
  };
}

/** Returns the rows in the form of the oracle. */
export function oracleRows(collections: MadeUpCollections): OracleRow[] {
  return Object.entries(collections).flatMap(([collection, rows]) =>
    rows.map(({ id, geometry, country = "ZZ" }) => ({
      collection: collection as CollectionName,
      id,
      geometry,
      country,
    })),
  );
}

function rowsOf(random: Random, prefix: string, count: number, shape: (home: Position) => Geometry): MadeUpRow[] {
  const rows: MadeUpRow[] = [];
  for (let i = 0; i < count; i++) {
    const geometry = shape(random.of(HOMES));
    // some rows share a position, so that ids decide
    const copies = random.of([1, 1, 1, 4]);
    for (let copy = 0; copy < copies; copy++) {
      const id = `${random.of(["", "é", "\u{1f5fa}", "\uff5e"])}${prefix}${random.below(1e6)}-${i}-${copy}`;
      rows.push({ id, geometry, country: random.of(COUNTRIES) });
    }
  }
  return rows;
}

function near(random: Random, [lon, lat]: Position, sizeDeg: number): Position {
  const spread = random.of([0, sizeDeg / 1000, sizeDeg]);
  const x = lon + random.spread(Math.abs(lat) === 90 ? random.of([180, 3, 3, 1, 0, 0]) : spread);
  return [x > 180 ? x - 360 : x < -180 ? x + 360 : x, Math.max(-90, Math.min(90, lat + random.spread(spread)))];
}

/** A box with a hole, split where it crosses the antimeridian; sometimes one around a pole. */
function areaNear(random: Random, home: Position): Geometry {
  const [lon, lat] = near(random, home, 2);
  const sizeDeg = random.of([0.001, 0.05, 1, 4]);
  const south = Math.max(-90, lat - sizeDeg);
  const north = Math.min(90, lat + sizeDeg);
  if (Math.abs(home[1]) === 90 && random.below(8) === 0) return polygon([-180, south, 180, north]);
  if (lon + sizeDeg <= 180) return polygon([lon, south, lon + sizeDeg, north]);
  const east: Geometry = polygon([lon, south, 180, north]);
  const west: Geometry = polygon([-180, south, lon + sizeDeg - 360, north]);
  return { type: "MultiPolygon", coordinates: [east.coordinates, west.coordinates] };
}

function polygon([west, south, east, north]: readonly [number, number, number, number]): Extract<
  Geometry,
  { type: "Polygon" }
> {
  const ring = (inset: number): Position[] => {
    const [w, e] = [west + inset * (east - west), east - inset * (east - west)];
    const [s, n] = [south + inset * (north - south), north - inset * (north - south)];
    return [
      [w, s],
      [e, s],
      [e, n],
      [w, n],
      [w, s],
    ];
  };
  return { type: "Polygon", coordinates: [ring(0), ring(0.25).reverse()] };
}

/**
 * Bounding circles of geometries, to skip distant ones quickly.
 * @module
 */
import type { Geometry, Position } from "geojson";
import { EARTH_RADIUS_METERS, haversineMeters } from "./distance.ts";

export interface Reach {
  /** `[west, south, east, north]` of the unchanged coordinates. */
  readonly box: readonly [number, number, number, number];
  readonly centre: Position;
  /** No point of the geometry is farther from the centre. */
  readonly radiusMeters: number;
}

const RADIANS = Math.PI / 180;

/** Returns the bounding circle of a geometry. */
export function reachOf(geometry: Geometry): Reach {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [lon = 0, lat = 0] of positionsOf(geometry)) {
    west = Math.min(west, lon);
    south = Math.min(south, lat);
    east = Math.max(east, lon);
    north = Math.max(north, lat);
  }
  const centre: Position = [(west + east) / 2, (south + north) / 2];
  const alongParallel = ((east - west) / 2) * Math.cos((centre[1] ?? 0) * RADIANS);
  const radiusMeters = ((north - south) / 2 + alongParallel) * RADIANS * EARTH_RADIUS_METERS;
  return { box: [west, south, east, north], centre, radiusMeters };
}

/** True if the geometry may be this close to the point. */
export function mayReach({ centre, radiusMeters }: Reach, point: Position, meters: number): boolean {
  const northwards = Math.abs((point[1] ?? 0) - (centre[1] ?? 0)) * RADIANS * EARTH_RADIUS_METERS;
  if (northwards > radiusMeters + meters + 1) return false;
  return haversineMeters(point, centre) <= radiusMeters + meters + 1;
}

/** Every position of a geometry. */
export function* positionsOf(geometry: Geometry): Generator<Position> {
  if (geometry.type === "GeometryCollection") {
    for (const member of geometry.geometries) yield* positionsOf(member);
  } else yield* flatten(geometry.coordinates);
}

type Nested = Position | readonly Nested[];

function* flatten(nested: Nested): Generator<Position> {
  const [first] = nested;
  if (first === undefined) return;
  if (typeof first === "number") yield nested.filter((item) => typeof item === "number");
  else for (const item of nested) if (typeof item !== "number") yield* flatten(item);
}

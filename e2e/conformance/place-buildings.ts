/**
 * Places with the building that holds them, else the nearest within 25 m.
 * @module
 */
import type { Position } from "geojson";
import { distanceMeters } from "./distance.ts";
import { groupBy } from "./group.ts";
import { mayReach, reachOf } from "./reach.ts";
import type { SourceRow } from "./source-rows.ts";

/** A place farther from every building has none. */
export const NEAREST_METERS = 25;

export interface Neighbour {
  readonly building: SourceRow;
  readonly meters: number;
}

/** Degrees of latitude that are surely more than the reach of the join. */
const STRIP_DEGREES = 0.01;

/** Buildings within reach of the place, nearest first. */
export function neighboursOf(place: SourceRow, strips: ReadonlyMap<number, readonly SourceRow[]>): Neighbour[] {
  const point = pointOf(place);
  const strip = stripOf(point);
  return [strip - 1, strip, strip + 1]
    .flatMap((number) => strips.get(number) ?? [])
    .filter(({ reach }) => mayReach(reach, point, NEAREST_METERS))
    .map((building) => ({ building, meters: distanceMeters(point, building.geometry) }))
    .filter(({ meters }) => meters <= NEAREST_METERS + 0.001)
    .sort((a, b) => a.meters - b.meters);
}

/** Buildings by strip of latitude. */
export function stripsOf(buildings: readonly SourceRow[]): ReadonlyMap<number, readonly SourceRow[]> {
  return groupBy(buildings, ({ reach }) => stripOf(reach.centre));
}

const stripOf = ([, lat = 0]: Position): number => Math.floor(lat / STRIP_DEGREES);

export function pointOf({ geometry, id }: SourceRow): Position {
  if (geometry.type !== "Point") throw new Error(`place ${id} is a ${geometry.type}, expected a point`);
  return geometry.coordinates;
}

/** The joined rows, with the building's geometry. Of buildings equally near the one of the lowest id is taken. */
export function joinBuildings(places: readonly SourceRow[], buildings: readonly SourceRow[]): SourceRow[] {
  const strips = stripsOf(buildings);
  return places.flatMap((place) => {
    const [nearest, ...others] = neighboursOf(place, strips);
    if (!nearest) return [];
    const equals = others.filter(({ meters }) => meters === nearest.meters).map(({ building }) => building);
    const building = [nearest.building, ...equals].reduce((a, b) => (b.id < a.id ? b : a));
    return [{ ...place, geometry: building.geometry, reach: reachOf(building.geometry) }];
  });
}

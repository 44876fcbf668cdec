/**
 * Places with the building that contains them, otherwise the nearest within 25 m.
 * @module
 */
import type { Position } from "geojson";
import { distanceMeters } from "./distance.ts";
import { mayReach, reachOf } from "./reach.ts";
import type { SourceRow } from "./source-rows.ts";

/** A place farther from every building has none. */
export const NEAREST_METERS = 25;

export interface Neighbour {
  readonly building: SourceRow;
  readonly meters: number;
}

/** Buildings in range of the place, nearest first. */
export type Neighbours = (place: SourceRow) => readonly Neighbour[];

const CELL_DEGREES = 0.005;

/** Degrees of latitude, certainly more than the range of the join. */
const MARGIN_DEGREES = 0.0003;

/** Creates the look-up of buildings near a place. */
export function neighboursAmong(buildings: readonly SourceRow[]): Neighbours {
  const cells = new Map<string, SourceRow[]>();
  for (const building of buildings) {
    for (const key of cellsOf(building.reach.box)) {
      const cell = cells.get(key);
      if (cell) cell.push(building);
      else cells.set(key, [building]);
    }
  }
  const known = new WeakMap<SourceRow, readonly Neighbour[]>();
  return (place) => {
    const point = pointOf(place);
    const [lon = 0, lat = 0] = point;
    const found = known.get(place) ?? nearest(point, cells.get(cellAt(lon, lat)) ?? []);
    known.set(place, found);
    return found;
  };
}

const stepOf = (degrees: number): number => Math.floor(degrees / CELL_DEGREES);
const cellAt = (lon: number, lat: number): string => `${stepOf(lon)} ${stepOf(lat)}`;

/** The grid cells in range of the box. */
function* cellsOf([west, south, east, north]: SourceRow["reach"]["box"]): Generator<string> {
  const marginLon = MARGIN_DEGREES / Math.max(0.01, Math.cos((Math.max(-south, north) * Math.PI) / 180));
  for (let x = stepOf(west - marginLon); x <= stepOf(east + marginLon); x++)
    for (let y = stepOf(south - MARGIN_DEGREES); y <= stepOf(north + MARGIN_DEGREES); y++) yield `${x} ${y}`;
}

function nearest(point: Position, buildings: readonly SourceRow[]): Neighbour[] {
  return buildings
    .filter(({ reach }) => mayReach(reach, point, NEAREST_METERS))
    .map((building) => ({ building, meters: distanceMeters(point, building.geometry) }))
    .filter(({ meters }) => meters <= NEAREST_METERS + 0.001)
    .sort((a, b) => a.meters - b.meters);
}

/** Returns the position of a point. */
export function pointOf({ geometry, id }: SourceRow): Position {
  if (geometry.type !== "Point") throw new Error(`place ${id} is a ${geometry.type}, expected a point`);
  return geometry.coordinates;
}

/** The joined rows, with the building's geometry. Of equally near buildings the lowest id wins. */
export function joinBuildings(places: readonly SourceRow[], neighboursOf: Neighbours): SourceRow[] {
  return places.flatMap((place) => {
    const [first, ...others] = neighboursOf(place);
    if (!first || first.meters > NEAREST_METERS) return [];
    const equals = others.filter(({ meters }) => meters === first.meters).map(({ building }) => building);
    const building = [first.building, ...equals].reduce((a, b) => (b.id < a.id ? b : a));
    return [{ ...place, geometry: building.geometry, reach: reachOf(building.geometry) }];
  });
}

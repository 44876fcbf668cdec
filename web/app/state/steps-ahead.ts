/** Predicts the next searches of a user who moves the circle on. @module */
import { wrapLon } from "../../../data/format/bbox.ts";
import { metersBetween, originAt } from "../../../data/format/sphere.ts";
import { type Centre, restAddress, type Search } from "../address/index.ts";

/** Wait after a search before anything is prefetched. The map draws meanwhile, and users do not move on sooner. */
export const LOOK_ROUND_MS = 500;

/** Highest latitude of a step. Nearer to a pole, a step to the side is no direction on the map. */
const MAX_LATITUDE = 85;

/** Returns the positions after the same movement once more, and after movements as long to either side. */
export function stepsAhead(from: Centre, to: Centre): readonly Centre[] {
  const { cosLat } = originAt(to.lon, to.lat);
  const north = to.lat - from.lat;
  const east = wrapLon(to.lon - from.lon) * cosLat;
  const steps = [
    { north, east },
    { north: east, east: -north },
    { north: -east, east: north },
  ];
  return steps
    .map((step) => ({ lat: to.lat + step.north, lon: wrapLon(to.lon + step.east / cosLat) }))
    .filter(({ lat }) => Math.abs(lat) <= MAX_LATITUDE);
}

/**
 * Returns searches at the next positions; empty unless both searches are the same except for their centres, and their circles
 * overlap.
 */
export function searchesAhead(before: Search | undefined, made: Search): readonly Search[] {
  if (!before?.centre || !made.centre) return [];
  const [from, to] = [before.centre, made.centre];
  if (restAddress({ ...made, centre: from }) !== restAddress(before)) return [];
  const meters = metersBetween(from, to);
  if (meters === 0 || meters > 2 * made.radiusMeters) return [];
  return stepsAhead(from, to).map((centre) => ({ ...made, centre }));
}

/**
 * Random searches near rows.
 * @module
 */
import type { Parameters } from "./filters.ts";
import type { Random } from "./random.ts";
import type { SourceRow } from "./source-rows.ts";

const METERS_PER_DEGREE = 111_195;

/** A circle of 1 m to 50 km near a row. */
export function randomCircle(random: Random, rows: readonly SourceRow[]): Parameters {
  const { reach } = random.of(rows);
  const radius = Math.exp(random.between(Math.log(1), Math.log(50_000)));
  const [lon = 0, lat = 0] = reach.centre;
  const offset = (radius / METERS_PER_DEGREE) * random.between(-1, 1);
  return {
    lat: clamp(lat + offset, 90).toFixed(7),
    lng: clamp(lon + offset * random.between(-1, 1), 180).toFixed(7),
    radius: radius.toFixed(random.integer(0, 2)).replace(/^0/, "1"),
  };
}

const clamp = (degrees: number, most: number): number => Math.max(-most, Math.min(most, degrees));

/** A page of 1 to 200 rows, often the first. */
export function randomPage(random: Random): Parameters {
  const limit = String(random.of([1, 3, 25, 100, 200]));
  return random.chance(0.6) ? { limit } : { limit, page: String(random.integer(0, 4)) };
}

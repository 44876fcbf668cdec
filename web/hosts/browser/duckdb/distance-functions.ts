/**
 * SQL functions of the console for distances: `great_circle_metres`, `distance_metres` and `within_circle`. They use the
 * formula of `data/format/sphere.ts`.
 * @module
 */
import type { DuckDBBindings } from "@duckdb/duckdb-wasm/blocking";
import { Int32 } from "apache-arrow";
import { hexBytes } from "../../../../data/format/bytes.ts";
import { createDistanceMeter } from "../../../../data/format/distance.ts";
import {
  EARTH_RADIUS_METERS,
  HALF_CIRCUMFERENCE_METERS,
  METERS_PER_DEGREE,
  originAt,
} from "../../../../data/format/sphere.ts";

/** Maximum number of measured shapes in memory. DuckDB asks for the metres of many rows, then for their millimetres. */
const MOST_SHAPES = 4096;
const MOST_CHARS = 8_000_000;
/** Distance of an empty geometry: more than any on the sphere, so that it is in no circle. */
const NOWHERE_METERS = 2_000_000_000;

/**
 * Registers the SQL functions. Internally a distance is whole metres and millimetres apart, because the bindings round fractions
 * to 32 bits.
 */
export function openDistanceFunctions(bindings: DuckDBBindings, connection: number): void {
  const millimetres = shapeMeter();
  const isMissing = (...values: readonly unknown[]) => values.includes(null);
  bindings.createScalarFunction(connection, "hex_metres", new Int32(), (hex, lon, lat) =>
    isMissing(hex, lon, lat) ? null : Math.floor(millimetres(hex, lon, lat) / 1000),
  );
  bindings.createScalarFunction(connection, "hex_millimetres", new Int32(), (hex, lon, lat) =>
    isMissing(hex, lon, lat) ? null : millimetres(hex, lon, lat) % 1000,
  );
  for (const macro of [SQUARED, HAVERSINE, GREAT_CIRCLE, DISTANCE, WITHIN_CIRCLE]) {
    bindings.runQuery(connection, `CREATE OR REPLACE MACRO ${macro}`);
  }
}

/** Measures shapes with the function of the engine. The origin is usually the same for all rows. */
function shapeMeter(): (hex: string, lon: number, lat: number) => number {
  let measure: ReturnType<typeof createDistanceMeter> | undefined;
  let from: readonly [lon: number, lat: number] | undefined;
  let [measured, chars] = [new Map<string, number>(), 0];
  return (hex, lon, lat) => {
    const isSame = from?.[0] === lon && from[1] === lat;
    if (!measure || !isSame) measure = createDistanceMeter(originAt(lon, lat));
    if (!isSame || measured.size > MOST_SHAPES || chars > MOST_CHARS) [measured, chars] = [new Map(), 0];
    from = [lon, lat];
    const known = measured.get(hex);
    if (known !== undefined) return known;
    const millimetres = Math.round(1000 * Math.min(NOWHERE_METERS, measure(hexBytes(hex))));
    measured.set(hex, millimetres);
    chars += hex.length;
    return millimetres;
  };
}

const SQUARED = "squared(x) AS x * x";

const HAVERSINE = `haversine(lon, lat, to_lon, to_lat) AS
  squared(sin(radians(to_lat - lat) / 2)) + cos(radians(lat)) * cos(radians(to_lat)) * squared(sin(radians(to_lon - lon) / 2))`;

/** Beyond a quarter circle the distance is measured from the antipode, where it is exact. */
const GREAT_CIRCLE = `great_circle_metres(lon, lat, to_lon, to_lat) AS round(
  CASE WHEN haversine(lon, lat, to_lon, to_lat) <= 0.5
  THEN 2 * ${EARTH_RADIUS_METERS} * asin(sqrt(haversine(lon, lat, to_lon, to_lat)))
  ELSE ${HALF_CIRCUMFERENCE_METERS} - 2 * ${EARTH_RADIUS_METERS} * asin(sqrt(least(1, squared(sin(radians(to_lat + lat) / 2))
    + cos(radians(lat)) * cos(radians(to_lat)) * squared(cos(radians(to_lon - lon) / 2))))) END, 3)`;

/** Whether the row is a point. */
const IS_POINT = "box.xmin = box.xmax AND box.ymin = box.ymax";

/** Metres from the position to the row, rounded to 1 mm: points in SQL, lines and areas by the function of the engine. */
const DISTANCE = `distance_metres(shape, box, lon, lat) AS CASE WHEN ${IS_POINT}
  THEN great_circle_metres(lon, lat, box.xmin, box.ymin)
  ELSE (1000 * hex_metres(hex(shape), lon::DOUBLE, lat::DOUBLE)::BIGINT + hex_millimetres(hex(shape), lon::DOUBLE, lat::DOUBLE)) / 1000 END`;

/**
 * SQL condition: whether a row is within the circle. Exact for points. Other shapes are tested by bbox only, and `within_metres`
 * tests them exactly. With constants it becomes comparisons that query plans show.
 */
const WITHIN_CIRCLE = `within_circle(box, lon, lat, metres) AS (
  box.ymin <= lat + metres / ${METERS_PER_DEGREE} + 1e-6 AND box.ymax >= lat - metres / ${METERS_PER_DEGREE} - 1e-6
  AND ((box.xmin <= lon + ${reachLon("lon", "lat", "metres")} AND box.xmax >= lon - ${reachLon("lon", "lat", "metres")})
    OR box.xmin > box.xmax)
  AND (NOT (${IS_POINT}) OR great_circle_metres(lon, lat, box.xmin, box.ymin) <= metres))`;

/**
 * SQL for half the width of the circle in degrees of longitude. 1000 near a pole and across the antimeridian: every longitude.
 */
function reachLon(lon: string, lat: string, metres: string): string {
  const reach = `(${metres} / ${METERS_PER_DEGREE} + 1e-6)`;
  const farthest = `(abs(${lat}) + ${reach})`;
  const degrees = `${reach} / cos(radians(${farthest}))`;
  return `(CASE WHEN ${farthest} >= 85 OR abs(${lon}) + ${degrees} > 180 THEN 1000 ELSE ${degrees} END)`;
}

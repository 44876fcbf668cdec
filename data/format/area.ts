/**
 * Polygons to search in. Edges are straight in longitude and latitude. Positions on edges and corners are inside.
 *
 * @module
 */
import { type BBox, boxRing } from "./bbox.ts";
import type { Geometry, Position } from "./geometry.ts";

/**
 * Positions are longitude, latitude in degrees. Longitudes are from -360 to 360, so that a ring over the antimeridian
 * is continuous.
 */
export type Area = Extract<Geometry, { readonly type: "Polygon" | "MultiPolygon" }>;

/** Thrown if an area has more than 500,000 corners, or if the tests of rows against it take too long. */
export class AreaTooLargeError extends Error {
  override readonly name = "AreaTooLargeError";
}

/** Returns the box as a polygon. If the box crosses the antimeridian, the polygon's eastern longitudes exceed 180. */
export function areaOfBox(box: BBox): Area {
  return { type: "Polygon", coordinates: [boxRing(box)] };
}

/** More corners than the most detailed outline of a country has. The last position of a ring counts too. */
const MAX_CORNERS = 500_000;

/**
 * Returns the area of a GeoJSON Polygon, MultiPolygon, or Feature with one of these. Throws if the value is something
 * else or a ring is not closed, and `AreaTooLargeError` if there are more than 500,000 corners.
 */
export function parseArea(value: unknown): Area {
  const { type, geometry } = membersOf(value);
  if (type === "Feature") return parseArea(geometry);
  const { coordinates } = membersOf(value);
  if (type === "Polygon") return checked({ type, coordinates: parseRings(coordinates) });
  if (type === "MultiPolygon")
    return checked({ type, coordinates: listOf(coordinates, "coordinates").map(parseRings) });
  throw new Error(`type must be Polygon, MultiPolygon, or Feature with one, got ${JSON.stringify(type) ?? "no type"}`);
}

function checked(area: Area): Area {
  const rings = area.type === "Polygon" ? area.coordinates : area.coordinates.flat();
  const corners = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (corners === 0) throw new Error("coordinates must contain a ring, got an empty list");
  if (corners > MAX_CORNERS) {
    throw new AreaTooLargeError(`an area has at most ${MAX_CORNERS} corners, got ${corners}: simplify its outline`);
  }
  return area;
}

function parseRings(value: unknown): Position[][] {
  return listOf(value, "a polygon").map((ring) => {
    const positions = listOf(ring, "a ring").map(parsePosition);
    const [first, last] = [positions[0], positions.at(-1)];
    if (positions.length < 4 || first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
      throw new Error(`a ring has at least 4 positions, the last the same as the first, got ${positions.length}`);
    }
    return positions;
  });
}

function parsePosition(value: unknown): Position {
  const [lon, lat] = listOf(value, "a position");
  const isSound = typeof lon === "number" && typeof lat === "number" && Math.abs(lon) <= 360 && Math.abs(lat) <= 90;
  if (!isSound) throw new Error(`a position is [longitude, latitude] in degrees, got ${JSON.stringify(value)}`);
  return [lon, lat];
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${what} must be a list, got ${JSON.stringify(value) ?? "nothing"}`);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
  throw new Error(`expected an object, got ${JSON.stringify(value) ?? "nothing"}`);
}

/** Validates geometries from foreign files. @see https://www.rfc-editor.org/rfc/rfc7946#section-3.1 @module */
import { type Geometry, positionsOf, readWkb } from "../../../../data/format/geometry.ts";
import { isGeometry, parseGeometry as parse } from "../../../../data/tables/index.ts";

/** Returns the value as a GeoJSON geometry; undefined if it is none. Its positions may be outside the globe. */
export function parseGeometry(value: unknown): Geometry | undefined {
  const geometry = parse(value);
  return isGeometry(geometry) ? geometry : undefined;
}

/** Returns the geometry of WKB bytes; undefined if the value is not valid WKB. */
export function geometryOfWkb(value: unknown): Geometry | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  try {
    return readWkb(value);
  } catch {
    return undefined;
  }
}

/** Returns whether all positions are valid degrees of longitude and latitude. False for a geometry without positions. */
export function isOnGlobe(geometry: Geometry): boolean {
  let count = 0;
  for (const [lon, lat] of positionsOf(geometry)) {
    count++;
    if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90)) return false;
  }
  return count > 0;
}

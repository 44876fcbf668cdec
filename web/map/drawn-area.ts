/**
 * Areas drawn by the user: boxes and polygons, and their compact form in URLs.
 * @module
 */
import type { Area } from "../../data/format/area.ts";
import { type BBox, boxRing } from "../../data/format/bbox.ts";
import type { Position } from "../../data/format/geometry.ts";

/**
 * An area drawn by the user. Edges are straight in longitude and latitude, and take the shorter way around the globe. The last
 * position of `ring` differs from the first: the ring is not closed.
 */
export type DrawnArea =
  | { readonly kind: "box"; readonly bbox: BBox }
  | { readonly kind: "polygon"; readonly ring: readonly Position[] };

/** Decimals of degrees: about 0.1 m. */
const DECIMALS = 6;
/** Maximum number of corners: more than one draws by hand; a URL of 20 KB. */
const MAX_CORNERS = 1000;

/**
 * Parses `west,south,east,north` of a box, or `lng,lat,lng,lat,…` of at least three corners, in degrees. Undefined for any other
 * text.
 */
export function parseDrawnArea(text: string): DrawnArea | undefined {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const positions = Array.from(
    { length: numbers.length >> 1 },
    (_, i) => [numbers[2 * i], numbers[2 * i + 1]] as Position,
  );
  const isSound = positions.every(([lon, lat]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90);
  if (numbers.length % 2 === 1 || !isSound || positions.length > MAX_CORNERS) return undefined;
  const [southWest, northEast] = positions;
  if (positions.length === 2 && southWest && northEast) {
    const bbox: BBox = [...southWest, ...northEast];
    return bbox[1] < bbox[3] && bbox[0] !== bbox[2] ? { kind: "box", bbox } : undefined;
  }
  return positions.length > 2 ? { kind: "polygon", ring: positions } : undefined;
}

/** Returns the area as a text that `parseDrawnArea` reads. */
export function formatDrawnArea(area: DrawnArea): string {
  const numbers = area.kind === "box" ? area.bbox : area.ring.flat();
  return numbers.map((degrees) => String(Number(degrees.toFixed(DECIMALS)))).join(",");
}

/**
 * Returns the closed ring of the area, [lon, lat] in degrees; counter-clockwise for a box. Longitudes may exceed 180, so that the
 * ring is continuous.
 */
export function ringOf(area: DrawnArea): Position[] {
  if (area.kind === "box") return boxRing(area.bbox);
  const ring: Position[] = [];
  for (const [lon, lat] of [...area.ring, ...area.ring.slice(0, 1)]) {
    const before = ring.at(-1)?.[0] ?? lon;
    ring.push([lon + 360 * Math.round((before - lon) / 360), lat]);
  }
  return ring;
}

/** Returns the drawn area as a GeoJSON Polygon, for a search. */
export function areaOf(drawn: DrawnArea): Area {
  return { type: "Polygon", coordinates: [ringOf(drawn)] };
}

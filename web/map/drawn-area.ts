/**
 * Areas that a reader draws: boxes and polygons, and their compact form in addresses.
 * @module
 */
import type { Area } from "../../data/format/area.ts";
import { type BBox, boxRing } from "../../data/format/bbox.ts";
import type { Position } from "../../data/format/geometry.ts";

/**
 * Edges are straight in longitude and latitude (RFC 7946, section 3.1.1). A ring is not closed: its last position differs
 * from its first. It goes the shorter way round from one position to the next, over the antimeridian where that is it.
 */
export type DrawnArea =
  | { readonly kind: "box"; readonly bbox: BBox }
  | { readonly kind: "polygon"; readonly ring: readonly Position[] };

/** About 0.1 m. */
const DECIMALS = 6;
/** More than a hand draws; an address of 20 KB. */
const MAX_CORNERS = 1000;

/** `west,south,east,north` of a box, or `lng,lat` of three positions and more; undefined for anything else. */
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

/** The text that `parseDrawnArea` reads. */
export function formatDrawnArea(area: DrawnArea): string {
  const numbers = area.kind === "box" ? area.bbox : area.ring.flat();
  return numbers.map((degrees) => String(Number(degrees.toFixed(DECIMALS)))).join(",");
}

/** The area's ring, closed, counter-clockwise for a box; longitudes run on beyond 180, so that it stays whole. */
export function ringOf(area: DrawnArea): Position[] {
  if (area.kind === "box") return boxRing(area.bbox);
  const ring: Position[] = [];
  for (const [lon, lat] of [...area.ring, ...area.ring.slice(0, 1)]) {
    const before = ring.at(-1)?.[0] ?? lon;
    ring.push([lon + 360 * Math.round((before - lon) / 360), lat]);
  }
  return ring;
}

/** The area as searches take it. */
export function areaOf(drawn: DrawnArea): Area {
  return { type: "Polygon", coordinates: [ringOf(drawn)] };
}

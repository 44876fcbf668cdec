/**
 * Exact point in polygon against few edges: those of the latitude stripe that the point lies in.
 * @module
 */
import { type EdgeStripes, makeStripes, type Side, sideOf } from "../../data/format/edge-stripes.ts";
import type { OutlinePolygon, Outlines } from "./outlines.ts";

/** A test whether a position lies in a polygon of the outlines, by the even-odd rule, planar. */
export function pointInPolygon({ edges, polygons }: Outlines): (polygon: number, lon: number, lat: number) => Side {
  const stripes = new Map<number, EdgeStripes>();
  return (index, lon, lat) => {
    const polygon = polygons[index] as OutlinePolygon;
    if (lon < polygon.west || lon > polygon.east || lat < polygon.south || lat > polygon.north) return "outside";
    const mine = stripes.get(index) ?? makeStripes({ edges, ...polygon });
    stripes.set(index, mine);
    return sideOf(mine, lon, lat);
  };
}

/** Outlines of countries as flat arrays of edges, because they have millions of vertices. @module */
import { boxOfPositions } from "../../../data/format/bbox.ts";
import type { Geometry, Position } from "../../../data/format/geometry.ts";
import type { CountryOutline } from "../../overture/borders/index.ts";

/** A polygon of an outline: its edges, and its box in degrees. */
export interface OutlinePolygon {
  /** Index in `Outlines.codes`. */
  readonly outline: number;
  /** The edges of all its rings are those from `start` to `end` (exclusive). */
  readonly start: number;
  readonly end: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Outlines of countries. An outline has a country code and one or more polygons. */
export interface Outlines {
  readonly codes: readonly string[];
  /** Area of each outline on a sphere of radius 1, to compare outlines. */
  readonly areas: readonly number[];
  readonly polygons: readonly OutlinePolygon[];
  /** Four numbers for each edge: longitude and latitude of both ends, in degrees. */
  readonly edges: Float64Array;
  /** For each edge the index of its polygon. */
  readonly polygonOfEdge: Int32Array;
}

type Rings = readonly (readonly Position[])[];

/**
 * Returns the polygons of outlines as flat arrays of edges, in degrees. Geometries that are not polygons have no edges.
 */
export function makeOutlines(outlines: readonly CountryOutline[]): Outlines {
  const members = outlines.map(({ geometry }) => polygonsOf(geometry));
  const count = members.flat(2).reduce((sum, ring) => sum + Math.max(0, ring.length - 1), 0);
  const edges = new Float64Array(count * 4);
  const polygonOfEdge = new Int32Array(count);
  const polygons: OutlinePolygon[] = [];
  let end = 0;
  for (const [outline, list] of members.entries()) {
    for (const rings of list) {
      const start = end;
      for (const ring of rings) {
        for (let i = 1; i < ring.length; i++) {
          const [from, to] = [ring[i - 1] as Position, ring[i] as Position];
          edges.set([from[0], from[1], to[0], to[1]], end * 4);
          polygonOfEdge[end++] = polygons.length;
        }
      }
      polygons.push({ outline, start, end, ...boxOfEdges(edges, start, end) });
    }
  }
  return {
    codes: outlines.map(({ code }) => code),
    areas: members.map((list) => list.reduce((sum, rings) => sum + areaOf(rings), 0)),
    polygons,
    edges,
    polygonOfEdge,
  };
}

function polygonsOf(geometry: Geometry): readonly Rings[] {
  switch (geometry.type) {
    case "Polygon":
      return [geometry.coordinates];
    case "MultiPolygon":
      return geometry.coordinates;
    case "GeometryCollection":
      return geometry.geometries.flatMap(polygonsOf);
    default:
      return [];
  }
}

function boxOfEdges(
  edges: Float64Array,
  start: number,
  end: number,
): Omit<OutlinePolygon, "outline" | "start" | "end"> {
  const [west, south, east, north] = boxOfPositions(edges, start * 4, end * 4);
  return { west, south, east, north };
}

const RADIANS = Math.PI / 180;

function areaOf(rings: Rings): number {
  return rings.reduce((sum, ring, i) => sum + (i === 0 ? 1 : -1) * ringArea(ring), 0);
}

function ringArea(ring: readonly Position[]): number {
  let area = 0;
  for (let i = 1; i < ring.length; i++) {
    const [[lon1, lat1], [lon2, lat2]] = [ring[i - 1] as Position, ring[i] as Position];
    area += ((lon2 - lon1) * RADIANS * (Math.sin(lat1 * RADIANS) + Math.sin(lat2 * RADIANS))) / 2;
  }
  return Math.abs(area);
}

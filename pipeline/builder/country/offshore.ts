import Flatbush from "flatbush";
import { boxOfPositions } from "../../../data/format/bbox.ts";
import type { Position } from "../../../data/format/geometry.ts";
import { METERS_PER_DEGREE, metersBetween, toRadians } from "../../../data/format/sphere.ts";
import type { OutlinePolygon, Outlines } from "./outlines.ts";

/** Twelve nautical miles, the limit of territorial waters. */
const OFFSHORE_METERS = 22_224;

/** Edges per box of the index: fewer make the index large, more make a search read too many edges. */
const RUN_EDGES = 16;

/**
 * Returns a function from a position (`[longitude, latitude]` in degrees) to the code of the nearest outline. Undefined if none
 * is within 12 nautical miles. Of equally near outlines, the lowest code wins.
 */
export function nearestOutline(outlines: Outlines): (position: Position) => string | undefined {
  const { codes, polygons, edges, polygonOfEdge } = outlines;
  const runs = runsOf(outlines);
  if (runs.length === 0) return () => undefined;
  const index = new Flatbush(runs.length);
  for (const [start, end] of runs) {
    index.add(...boxOfPositions(edges, start * 4, end * 4));
  }
  index.finish();

  return ([lon, lat]) => {
    const reachLat = (OFFSHORE_METERS / METERS_PER_DEGREE) * 1.001;
    const widest = Math.cos(toRadians(Math.min(89.9, Math.abs(lat) + reachLat)));
    const reachLon = Math.min(180, reachLat / widest);
    let best: string | undefined;
    let bestMeters = OFFSHORE_METERS;
    for (const turn of [0, -360, 360]) {
      const x = lon + turn;
      for (const run of index.search(x - reachLon, lat - reachLat, x + reachLon, lat + reachLat)) {
        const [start, end] = runs[run] as [number, number];
        for (let edge = start; edge < end; edge++) {
          const meters = distanceToEdge(x, lat, edges, edge * 4);
          if (meters > bestMeters) continue;
          const code = codes[(polygons[polygonOfEdge[edge] as number] as OutlinePolygon).outline] ?? "";
          if (meters === bestMeters && best !== undefined && best <= code) continue;
          best = code;
          bestMeters = meters;
        }
      }
    }
    return best;
  };
}

function runsOf({ polygons }: Outlines): [start: number, end: number][] {
  return polygons.flatMap(({ start, end }) => {
    const runs: [number, number][] = [];
    for (let at = start; at < end; at += RUN_EDGES) runs.push([at, Math.min(end, at + RUN_EDGES)]);
    return runs;
  });
}

/** Great-circle distance to the edge's nearest point, which is found on a plane: exact to a metre at this distance. */
function distanceToEdge(lon: number, lat: number, edges: Float64Array, at: number): number {
  const shrink = Math.cos(toRadians(lat));
  const [x1, y1] = [((edges[at] as number) - lon) * shrink, (edges[at + 1] as number) - lat];
  const [x2, y2] = [((edges[at + 2] as number) - lon) * shrink, (edges[at + 3] as number) - lat];
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / length));
  return metersBetween({ lon, lat }, { lon: lon + (x1 + share * dx) / shrink, lat: lat + y1 + share * dy });
}

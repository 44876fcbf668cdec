/** Land around a position, coarse, from the world file that the page ships. It is known everywhere. @module */
import type { BBox } from "../../../../data/format/bbox.ts";
import { crossesEdge } from "../../../../data/format/even-odd.ts";
import { bboxOf, type Position } from "../../../../data/format/geometry.ts";
import { intersection, type Line, signedArea } from "./coast.ts";
import { type World, worldPolygons } from "./world.ts";

type Edge = readonly [Position, Position];

export interface CoarseLand {
  contains(position: Position): boolean;
  /** Edges of the coast in the box: those that no two countries share. Land is on their left. */
  readonly coast: readonly Edge[];
}

/** Returns the land of the shipped world in a box. Call `contains` only with positions [lon, lat] inside the box. */
export function coarseLandIn(world: World, box: BBox): CoarseLand {
  const near = worldPolygons(world).filter((rings) => {
    const bbox = rings[0] && bboxOf({ type: "Polygon", coordinates: [rings[0]] });
    return bbox && intersection(bbox, box);
  });
  // a ray eastwards from a position in the box crosses no other edges
  const polygons = near.map((rings) => rings.flatMap(edgesOf).filter((edge) => isEastOf(edge, box)));
  return {
    contains: ([x, y]) =>
      polygons.some(
        (edges) => edges.filter(([[x1, y1], [x2, y2]]) => crossesEdge(x, y, x1, y1, x2, y2)).length % 2 === 1,
      ),
    coast: coastalEdges(near.flatMap(turned), box),
  };
}

/** Outlines counter-clockwise, holes clockwise. */
function turned(rings: readonly Line[]): Line[] {
  return rings.map((ring, index) => (signedArea(ring) > 0 === (index === 0) ? ring : ring.toReversed()));
}

function edgesOf(ring: Line): Edge[] {
  return ring.slice(1).map((to, i) => [ring[i] ?? to, to]);
}

function isEastOf([[x1, y1], [x2, y2]]: Edge, [west, south, , north]: BBox): boolean {
  return Math.max(x1, x2) >= west && Math.max(y1, y2) >= south && Math.min(y1, y2) <= north;
}

function coastalEdges(rings: readonly Line[], box: BBox): Edge[] {
  const edges = new Map<string, Edge | undefined>();
  for (const edge of rings.flatMap(edgesOf).filter(([from, to]) => intersection(boxOf(from, to), box))) {
    const key = edge.map(String).sort().join(" ");
    edges.set(key, edges.has(key) ? undefined : edge);
  }
  return [...edges.values()].filter((edge) => edge !== undefined);
}

/** Never of zero width or height, even for a line parallel to an axis. */
function boxOf([x1, y1]: Position, [x2, y2]: Position): BBox {
  const least = 1e-9;
  return [Math.min(x1, x2) - least, Math.min(y1, y2) - least, Math.max(x1, x2) + least, Math.max(y1, y2) + least];
}
